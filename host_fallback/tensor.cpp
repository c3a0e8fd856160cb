#include "host_fallback/tensor.h"

#include "host_fallback/attributes.h"

namespace dbk {

int64_t integer_at(const Tensor& tensor, int64_t i) {
  int64_t value = 0;
  with_type<I32 | I64>(tensor.type.dtype, [&]<class T>() { value = tensor.as<T>()[i]; });
  return value;
}

std::vector<int64_t> to_integers(const Tensor& tensor) {
  std::vector<int64_t> out(static_cast<size_t>(tensor.count()));
  with_type<I32 | I64>(tensor.type.dtype, [&]<class T>() { std::copy_n(tensor.as<T>(), out.size(), out.begin()); });
  return out;
}

const AttributeValue* Attributes::find(std::string_view name) const {
  for (const Attribute& a : items_)
    if (a.name == name) return &a.value;
  return nullptr;
}

}  // namespace dbk
