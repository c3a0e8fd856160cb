#include "plugin/cpu/late_value.h"

#include <cstring>

#include "plugin/cpu/host_kernel.h"
#include "plugin/graph/schema.h"

namespace dbk {

namespace {

std::vector<TensorType> infer_types(const Node& node, std::span<const Tensor> inputs) {
  std::vector<TensorType> types(node.outputs.size()), in_types(inputs.size());
  std::vector<InferInput> known(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    in_types[i] = inputs[i].type;
    if (inputs[i].type.dtype != DBK_DTYPE_NONE) known[i] = {&inputs[i].type, &inputs[i]};
  }
  if (node.schema) check_types(*node.schema, in_types);  // what passes make was checked before
  Infer rule({&node.attrs, node.version}, known, types);
  node.op->host->infer(rule);
  return types;
}

}  // namespace

std::shared_ptr<std::byte[]> LateRoom::allocate(uint64_t bytes, const std::function<std::string()>& what) const {
  if (bytes > left())
    fail(DBK_OUT_OF_MEMORY, "memory_budget: values whose shapes only the run tells take {} bytes, {} are left", use_->taken + bytes, use_->limit);
  std::shared_ptr<std::byte[]> memory = try_allocate_bytes(bytes);
  if (!memory) no_memory(bytes, what());
  if (!use_) return memory;
  use_->taken += bytes;
  return {memory.get(), [memory, use = use_, bytes](std::byte*) { use->taken -= bytes; }};
}

LateValue make_late_value(const TensorType& type, const LateRoom& room) {
  const uint64_t bytes = std::max<uint64_t>((static_cast<uint64_t>(type.bytes()) + 15) / 16 * 16, 16);  // kernels read whole vectors
  const auto what = [&] { return std::format("a result of {} {}", to_string(type.dtype), to_string(type.shape)); };
  LateValue value{{type, nullptr}, room.allocate(bytes, what)};
  value.tensor.data = value.memory.get();
  return value;
}

void compute_late(const Node& node, std::span<const Tensor> inputs, const std::vector<bool>& wanted, std::span<LateValue> results,
                  const LateRoom& room) {
  const std::vector<TensorType> types = infer_types(node, inputs);
  std::vector<Tensor> outputs(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    if (!wanted[i]) continue;
    const Tensor& there = results[i].tensor;
    if (!there.data) results[i] = make_late_value(types[i], room);
    else if (!(there.type == types[i]))
      fail(DBK_INVALID_ARGUMENT, "output {} is declared as {} {}, the run makes {} {}", i, to_string(there.type.dtype),
           to_string(there.type.shape), to_string(types[i].dtype), to_string(types[i].shape));
    outputs[i] = results[i].tensor;
  }
  run_host_kernel(node, inputs, outputs);
}

}  // namespace dbk
