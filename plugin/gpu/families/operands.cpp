#include "plugin/gpu/families/operands.h"

#include <limits>

namespace dbk::gpu {

namespace {

uint64_t storage_bytes(const TensorType& type) { return (static_cast<uint64_t>(type.bytes()) + 15) / 16 * 16; }

std::string refuse_operand(const TensorType& type, const Capabilities& caps) {
  if (type.dtype == DBK_F16 && !caps.f16) return "the adapter has no f16 arithmetic";
  return {};
}

}  // namespace

std::string refuse_size(const TensorType& type, const Capabilities& caps) {
  if (storage_bytes(type) > caps.max_binding)
    return std::format("an operand of {} bytes exceeds the adapter's binding limit of {}", type.bytes(),
                       caps.max_binding);
  if (type.count() > std::numeric_limits<int32_t>::max())
    return std::format("an operand of {} elements exceeds the kernels' limit of {}", type.count(),
                       (int64_t{1} << 31) - 1);
  return {};
}

std::string refuse_operands(const TypedNode& node, const Capabilities& caps, size_t except) {
  std::string reason;
  const auto check = [&](const TensorType& type, bool sized) {
    if (type.dtype == DBK_DTYPE_NONE || !reason.empty()) return;
    reason = refuse_operand(type, caps);
    if (reason.empty() && sized) reason = refuse_size(type, caps);
  };
  for (size_t i = 0; i < node.inputs.size(); ++i) check(node.inputs[i], i != except);
  for (const TensorType& type : node.outputs) check(type, true);
  return reason;
}

std::string refuse_dtype(const TypedNode& node, size_t main) {
  const DType dtype = node.inputs[main].dtype;
  return contains(node.op->gpu_dtypes, dtype) ? std::string()
                                              : std::format("{} elements have no kernel", to_string(dtype));
}

bool is_suffix(const Shape& from, const Shape& to) {
  uint32_t lead = 0;
  while (lead < from.rank() && from[lead] == 1) ++lead;
  return from.rank() - lead <= to.rank() &&
         std::equal(from.begin() + lead, from.end(), to.end() - (from.rank() - lead), to.end());
}

std::string refuse_move(DType dtype) {
  if (contains(STORED, dtype)) return {};
  return std::format("no kernel moves {} elements", to_string(dtype));
}

}  // namespace dbk::gpu
