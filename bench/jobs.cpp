#include "jobs.h"

#include <chrono>
#include <cstring>

namespace bench {

namespace {

using daybreak::Dims;

class Transfer : public Job {
 public:
  Transfer(const daybreak::Context& context, uint32_t device, Direction direction, int64_t bytes)
      : buffer_(context.buffer(static_cast<uint64_t>(bytes), device)),
        data_(static_cast<size_t>(bytes), std::byte{1}),
        upload_(direction == Direction::Upload) {}

  // A driver may only have taken note of what is written: a word read behind it waits.
  void run() override {
    if (upload_) buffer_.write(std::span<const std::byte>(data_));
    buffer_.read(upload_ ? std::span(data_).first(4) : std::span(data_));
  }
  Work work() const override {
    const auto bytes = static_cast<double>(data_.size());
    return {.steps = {}, .uploaded = upload_ ? bytes : 0, .read_back = upload_ ? 0 : bytes};
  }

 private:
  daybreak::Buffer buffer_;
  std::vector<std::byte> data_;
  bool upload_;
};

}  // namespace

std::vector<float> values(size_t count) {
  std::vector<float> v(count);
  uint32_t state = 1;
  for (float& x : v) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(static_cast<int32_t>(state >> 8) - (1 << 23)) / static_cast<float>(1 << 23);
  }
  return v;
}

std::vector<std::byte> values(uint32_t dtype, size_t count) {
  const std::vector<float> numbers = values(count);
  const auto as = [&]<class T>(T, float scale) {
    std::vector<std::byte> bytes(count * sizeof(T));
    for (size_t i = 0; i < count; ++i) {
      const T number = static_cast<T>(numbers[i] * scale);
      std::memcpy(bytes.data() + i * sizeof(T), &number, sizeof(T));
    }
    return bytes;
  };
  switch (dtype) {
    case DBK_F32: return as(float{}, 1);
    case DBK_F16: return as(daybreak::half{}, 1);
    case DBK_I8: return as(int8_t{}, 128);
    default: throw std::logic_error("no benchmark has elements of this type");
  }
}

daybreak::Executable ready_executable(const daybreak::Context& context, uint32_t device, daybreak::GraphBuilder& graph,
                                      const daybreak::Options& options) {
  daybreak::Compile how;
  how.device = device;
  how.options = options;
  daybreak::Executable exec = context.compile(graph, how);
  for (const auto& param : exec.params()) {
    const std::vector<std::byte> data = values(param.dtype, static_cast<size_t>(param.dims.product()));
    exec.set_param(param.name, daybreak::View(data, param.dtype, param.dims));
  }
  exec.ready();
  return exec;
}

GraphJob::GraphJob(const daybreak::Context& context, uint32_t device, daybreak::GraphBuilder& graph, const daybreak::Options& options)
    : exec_(ready_executable(context, device, graph, options)), run_(exec_) {
  for (const auto& input : exec_.inputs()) {
    const auto& data = data_.emplace_back(values(input.dtype, static_cast<size_t>(input.dims.product())));
    run_.bind_input(input.name, daybreak::View(data, input.dtype, input.dims));
  }
}

Work product_work(MatmulSize size) {
  return {.steps = {{2.0 * static_cast<double>(size.rows) * static_cast<double>(size.inner * size.columns), 0}}};
}

std::unique_ptr<GraphJob> matmul_job(const daybreak::Context& context, uint32_t device, MatmulSize size, Numbers numbers) {
  const uint32_t type = numbers == Numbers::I8 ? DBK_I8 : numbers == Numbers::F16 ? DBK_F16 : DBK_F32;
  daybreak::GraphBuilder g(kOpset);
  const auto a = g.input("a", type, Dims{size.rows, size.inner}), b = g.param("b", type, Dims{size.inner, size.columns});
  g.output(g.node(numbers == Numbers::I8 ? "MatMulInteger" : "MatMul", {a, b}), "y");
  daybreak::Options options;
  if (numbers == Numbers::F16F32acc) options.set("precision", "f16_f32acc");
  return std::make_unique<GraphJob>(context, device, g, options);
}

std::unique_ptr<Job> mlp_job(const daybreak::Context& context, uint32_t device, MlpSize size) {
  daybreak::GraphBuilder g(kOpset);
  const auto x = g.input<float>("x", Dims{size.rows, size.width});
  const auto hidden = g.node("Gelu", {g.node("MatMul", {x, g.param<float>("up", Dims{size.width, size.hidden})})});
  const auto y = g.node("Add", {x, g.node("MatMul", {hidden, g.param<float>("down", Dims{size.hidden, size.width})})});
  g.output(g.node("LayerNormalization", {y, g.param<float>("scale", Dims{size.width})}), "y");
  return std::make_unique<GraphJob>(context, device, g);
}

std::unique_ptr<Job> gelu_job(const daybreak::Context& context, uint32_t device) {
  daybreak::GraphBuilder g(kOpset);
  const auto x = g.input<float>("x", Dims{3, 4});
  g.output(g.node("Gelu", {g.node("Gemm", {x, g.param<float>("w", Dims{4, 5}), g.param<float>("b", Dims{5})})}), "y");
  return std::make_unique<GraphJob>(context, device, g);
}

std::unique_ptr<Job> conv_job(const daybreak::Context& context, uint32_t device, ConvSize size) {
  daybreak::GraphBuilder g(kOpset);
  const auto x = g.input<float>("x", Dims{1, size.inputs, size.extent, size.extent});
  const auto w = g.param<float>("w", Dims{size.outputs, size.inputs / size.groups, size.kernel, size.kernel});
  const int64_t pad = size.kernel / 2;
  g.output(g.node("Conv", {x, w},
                  {{"group", size.groups}, {"pads", {pad, pad, pad, pad}}, {"strides", {size.stride, size.stride}}}),
           "y");
  return std::make_unique<GraphJob>(context, device, g);
}

std::unique_ptr<Job> chain_job(const daybreak::Context& context, uint32_t device, int64_t kernels) {
  daybreak::GraphBuilder g(kOpset);
  auto value = g.input<float>("x", Dims{1, 12});
  for (int64_t i = 0; i < kernels; ++i) value = g.node("Softmax", {value});
  g.output(value, "y");
  return std::make_unique<GraphJob>(context, device, g);
}

std::unique_ptr<Job> transfer_job(const daybreak::Context& context, uint32_t device, Direction direction,
                                  int64_t bytes) {
  return std::make_unique<Transfer>(context, device, direction, bytes);
}

double seconds_of(Job& job) {
  const auto start = std::chrono::steady_clock::now();
  job.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::unique_ptr<Job> op_job(const daybreak::Context& context, uint32_t device, std::string_view op, int64_t rows,
                            int64_t columns) {
  daybreak::GraphBuilder g(kOpset);
  const auto x = g.input<float>("x", Dims{rows, columns});
  if (op == "Add")
    g.output(g.node(op, {x, g.input<float>("b", Dims{rows, columns})}), "y");
  else if (op == "RMSNormalization")
    g.output(g.node(op, {x, g.param<float>("scale", Dims{columns})}), "y");
  else if (op == "LayerNormalization")
    g.output(g.node(op, {x, g.param<float>("scale", Dims{columns}), g.param<float>("bias", Dims{columns})}), "y");
  else
    g.output(g.node(op, {x}), "y");
  return std::make_unique<GraphJob>(context, device, g);
}

}  // namespace bench
