// Constants and parameters; see weights.h.
#include "weights.h"

namespace host {
namespace {

constexpr uint64_t small = 1024;            // bytes below which a tensor is a constant
constexpr uint64_t longest_operand = 4096;  // elements; what steers a shape is short

bool is_integer(uint32_t dtype) {
  const uint32_t code = DBK_DTYPE_CODE(dtype);
  return code == DBK_DTYPE_CODE(DBK_I64) || code == DBK_DTYPE_CODE(DBK_U64) || dtype == DBK_BOOL;
}

}  // namespace

bool Weights::is_constant(const TensorData& data, bool steers_shapes) {
  if (data.dtype == DBK_STRING || data.size() < small) return true;
  return steers_shapes && is_integer(data.dtype) && data.size() * 8 / DBK_DTYPE_BITS(data.dtype) <= longest_operand;
}

daybreak::Value Weights::add_constant(const std::string& name, const TensorData& data) {
  if (data.dtype == DBK_STRING) return graph_.strings(data.strings, data.dims, name);
  return graph_.constant(data.dtype, data.dims, data.bytes, name);
}

daybreak::Value Weights::add(const std::string& name, const TensorData& data, bool steers_shapes) {
  if (is_constant(data, steers_shapes)) return add_constant(name, data);
  std::string unique = name;
  for (int i = 2; !names_.insert(unique).second; ++i) unique = name + "#" + std::to_string(i);
  if (data.owned) memory_.push_back(data.owned);
  return graph_.param(unique, data.dtype, data.dims, data.bytes, DBK_UNTIL_DESTROY);
}

}  // namespace host
