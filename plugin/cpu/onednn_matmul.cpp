#include "plugin/cpu/onednn_matmul.h"

#include "host_fallback/epilogue.h"
#include "plugin/cpu/onednn_epilogue.h"
#include "plugin/cpu/onednn_scratch.h"
#include "plugin/cpu/thread_limit.h"

namespace dbk {

namespace {

using dnnl::memory;

struct Problem {
  memory::dims a, b, c, bias;            // equal ranks; bias empty or of c's rank
  memory::dims a_strides, b_strides;     // empty: dense
  std::vector<OnednnStep> steps;         // of an epilogue, on the way
};

memory::dims dense(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

// Rank-equal views of ONNX MatMul operands: 1-D operands become matrices, leading dimensions are filled with ones.
Problem matmul_problem(const Shape& a, const Shape& b, const Shape& c) {
  Problem p;
  p.a.assign(a.begin(), a.end());
  p.b.assign(b.begin(), b.end());
  p.c.assign(c.begin(), c.end());
  if (a.rank() == 1) p.a = {1, a[0]}, p.c.insert(p.c.end() - (b.rank() == 1 ? 0 : 1), 1);
  if (b.rank() == 1) p.b = {b[0], 1}, p.c.push_back(1);
  const size_t rank = std::max(p.a.size(), p.b.size());
  p.a.insert(p.a.begin(), rank - p.a.size(), 1);
  p.b.insert(p.b.begin(), rank - p.b.size(), 1);
  // One weight for all: the batch is only more rows.
  if (b.rank() <= 2 && rank > 2) {
    const int64_t k = p.a.back(), n = p.b.back();
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < rank; ++i) rows *= p.a[i];
    p.a = {rows, k}, p.b = {k, n}, p.c = {rows, n};
  }
  p.a_strides = dense(p.a);
  p.b_strides = dense(p.b);
  return p;
}

// Work that one thread does in some 40 microseconds is not split: on a busy machine the others may have to be waited for a thousand times
// as long.
int threads_for(const Problem& p) {
  constexpr double kSplitFrom = 4e6;  // floating-point operations
  double work = 2.0 * static_cast<double>(p.a.back());
  for (int64_t d : p.c) work *= static_cast<double>(d);
  return work < kSplitFrom ? 1 : 0;
}

Problem gemm_problem(const Node& node, std::span<const TensorType> in, const Shape& out) {
  Problem p;
  const Shape& a = in[0].shape;
  const Shape& b = in[1].shape;
  const bool ta = node.attrs.integer("transA") != 0, tb = node.attrs.integer("transB") != 0;
  p.a = ta ? memory::dims{a[1], a[0]} : memory::dims{a[0], a[1]};
  p.b = tb ? memory::dims{b[1], b[0]} : memory::dims{b[0], b[1]};
  p.a_strides = ta ? memory::dims{1, a[1]} : memory::dims{a[1], 1};
  p.b_strides = tb ? memory::dims{1, b[1]} : memory::dims{b[1], 1};
  p.c.assign(out.begin(), out.end());
  if (in.size() > 2 && in[2].dtype != DBK_DTYPE_NONE) {
    p.bias.assign(in[2].shape.begin(), in[2].shape.end());
    p.bias.insert(p.bias.begin(), 2 - p.bias.size(), 1);
  }
  return p;
}

memory::desc stored(const memory::dims& dims, const memory::dims& strides) { return {dims, memory::data_type::f32, strides}; }

dnnl::matmul::primitive_desc describe_exactly(const dnnl::engine& engine, const Problem& p) {
  const memory::desc a = stored(p.a, p.a_strides), b = stored(p.b, p.b_strides), c = stored(p.c, dense(p.c));
  dnnl::primitive_attr attributes = onednn_attributes();
  dnnl::post_ops steps;
  for (const OnednnStep& step : p.steps) steps.append_binary(step.algorithm, stored(step.dims, dense(step.dims)));
  attributes.set_post_ops(steps);
  if (p.bias.empty()) return {engine, a, b, c, attributes};
  return {engine, a, b, stored(p.bias, dense(p.bias)), c, attributes};
}

// Without the steps where oneDNN has no fast kernel for the product with them.
dnnl::matmul::primitive_desc describe(const dnnl::engine& engine, Problem& p) {
  if (p.steps.empty()) return describe_exactly(engine, p);
  try {
    auto desc = describe_exactly(engine, p);
    if (!std::string_view(desc.impl_info_str()).starts_with("ref")) return desc;
  } catch (const dnnl::error&) {
  }
  p.steps.clear();
  return describe_exactly(engine, p);
}

class OnednnMatmul final : public HostKernel {
 public:
  explicit OnednnMatmul(Problem p) : threads_(threads_for(p)) {
    const ThreadLimit limit(threads_);
    const auto desc = describe(engine_, p);
    matmul_ = dnnl::matmul(desc);
    a_ = memory(desc.src_desc(), engine_, nullptr);
    b_ = memory(desc.weights_desc(), engine_, nullptr);
    c_ = memory(desc.dst_desc(), engine_, nullptr);
    const memory scratchpad = scratch_.add(desc.scratchpad_desc(), engine_);
    arguments_ = {{DNNL_ARG_SRC, a_.get()}, {DNNL_ARG_WEIGHTS, b_.get()}, {DNNL_ARG_DST, c_.get()}, {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
    if (!p.bias.empty()) {
      bias_ = memory(desc.bias_desc(), engine_, nullptr);
      arguments_.push_back({DNNL_ARG_BIAS, bias_.get()});
    }
    for (int i = 0; const OnednnStep& step : p.steps) {
      operands_.emplace_back(step.input, memory(stored(step.dims, dense(step.dims)), engine_, nullptr));
      arguments_.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(i++) | DNNL_ARG_SRC_1, operands_.back().second.get()});
    }
  }

  size_t epilogue_steps() const override { return operands_.size(); }

  uint64_t scratch_bytes() const override { return scratch_.bytes(); }
  void set_scratch(std::byte* memory) override { scratch_.place(memory); }
  void execute(std::span<const Tensor> in, std::span<Tensor> out) override {
    a_.set_data_handle(in[0].data);
    b_.set_data_handle(in[1].data);
    c_.set_data_handle(out[0].data);
    if (bias_) bias_.set_data_handle(in[2].data);
    for (auto& [input, operand] : operands_) operand.set_data_handle(in[input].data);
    const ThreadLimit limit(threads_);
    onednn_execute(matmul_, stream_, arguments_);
  }

 private:
  int threads_;
  // Small, and equal for oneDNN's cache of compiled kernels. One for all would outlive the library, or be gone before the last kernel.
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::matmul matmul_;
  memory a_, b_, c_, bias_;
  std::vector<std::pair<size_t, memory>> operands_;  // of the epilogue's steps, with the inputs that they are
  OnednnScratch scratch_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

// Null where oneDNN does not take the node.
std::optional<Problem> problem_of(const Node& node, std::span<const TensorType> in, const Shape& out) {
  if (!onednn_takes(node, in)) return std::nullopt;
  Problem p = node.op->family == "gemm" ? gemm_problem(node, without_epilogue(node.attrs, in), out) : matmul_problem(in[0].shape, in[1].shape, out);
  p.steps = onednn_steps(node, in, p.c);
  return p;
}

}  // namespace

bool onednn_takes(const Node& node, std::span<const TensorType> in) {
  const bool matmul = node.op->family == "matmul", gemm = node.op->family == "gemm";
  if ((!matmul && !gemm) || in[0].dtype != DBK_F32) return false;
  for (size_t i = 0; i < 2; ++i)
    if (in[i].shape.count() == 0 || in[i].shape.rank() == 0 || in[i].shape.rank() > 8) return false;
  // oneDNN adds its bias unscaled and accumulates without alpha.
  const bool has_bias = without_epilogue(node.attrs, in).size() > 2 && in[2].dtype != DBK_DTYPE_NONE;
  return matmul || (node.attrs.real("alpha") == 1.0 && (node.attrs.real("beta") == 1.0 || !has_bias));
}

std::unique_ptr<HostKernel> make_onednn_matmul(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  std::vector<TensorType> types;
  for (const Tensor& t : inputs) types.push_back(t.type);
  try {
    const auto problem = problem_of(node, types, outputs[0].shape());
    return problem ? std::make_unique<OnednnMatmul>(*problem) : nullptr;
  } catch (const dnnl::error&) {
    return nullptr;  // a shape oneDNN has no kernel for: the op's own function does it
  }
}

std::optional<HostKernelNeeds> onednn_matmul_needs(const Node& node, std::span<const TensorType> inputs, std::span<const TensorType> outputs) {
  try {
    auto problem = problem_of(node, inputs, outputs[0].shape);
    if (!problem) return std::nullopt;
    const ThreadLimit limit(threads_for(*problem));
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    OnednnScratch scratch;
    scratch.add(describe(engine, *problem).scratchpad_desc(), engine);
    return HostKernelNeeds{scratch.bytes(), std::nullopt};
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

}  // namespace dbk
