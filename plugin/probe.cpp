#include "plugin/probe.h"

#include "plugin/probe_numbers.h"

namespace dbk {

namespace {

// Hands a tensor of made-up numbers to f.
template <class F>
void with_numbers(const Graph& graph, ValueId value, const Sums& sums, F&& f) {
  const TensorType type{graph.values[value].dtype, Shape(graph.values[value].dims)};
  const std::vector<std::byte> bytes = probe_numbers(type, value, sized_vectors(graph, value, sums));
  dbk_tensor tensor{};
  tensor.hdr.size = sizeof tensor;
  tensor.dtype = type.dtype;
  tensor.rank = type.shape.rank();
  tensor.dims = type.shape.begin();
  tensor.data = const_cast<std::byte*>(bytes.data());
  tensor.byte_len = bytes.size();
  tensor.ownership = DBK_COPY;
  f(tensor);
}

dbk_submit quiet_run() {
  dbk_submit submit{};
  submit.mode = DBK_RUN_NO_READBACK;
  return submit;
}

}  // namespace

Probe::Probe(Context& context, uint32_t device, Graph graph, const Options& options, const Sums& sums) : sums_(sums) {
  exec_ = std::make_shared<Executable>(context.shared_from_this(), device, std::move(graph), options, DBK_COMPILE_FULL, silent, /*probe=*/true);
  const Graph& compiled = exec_->graph();
  for (uint32_t i = 0; i < compiled.params.size(); ++i)
    if (!compiled.values[compiled.params[i]].data.ptr)
      with_numbers(compiled, compiled.params[i], sums, [&](const dbk_tensor& tensor) { exec_->set_param(i, tensor); });
  exec_->make_ready(silent);
  run_ = std::make_shared<Run>(exec_);
  for (uint32_t i = 0; i < compiled.main().inputs.size(); ++i)
    with_numbers(compiled, compiled.main().inputs[i], sums, [&](const dbk_tensor& tensor) { run_->bind(DBK_INPUT, i, &tensor); });
}

Probe::~Probe() {
  try {
    if (run_) run_->close();
    exec_->close();
  } catch (const Error&) {  // the device is lost
  }
}

void Probe::run() { run_->start(quiet_run(), nullptr); }

double Probe::microseconds() {
  const Stopwatch watch;
  run();
  return static_cast<double>(watch.nanoseconds()) / 1e3;
}

uint32_t Probe::outputs() const { return static_cast<uint32_t>(exec_->graph().main().outputs.size()); }

const TensorType& Probe::output_type(uint32_t index) const { return run_->plan()->types[exec_->graph().main().outputs[index]]; }

std::vector<std::byte> Probe::output(uint32_t index) {
  std::vector<std::byte> bytes(static_cast<uint64_t>(output_type(index).bytes()));
  run_->read({{index, 0, 0, bytes.size(), bytes.data()}}, nullptr);
  return bytes;
}

}  // namespace dbk
