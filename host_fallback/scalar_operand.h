// Elements of operands that hold a few numbers, whatever their type.
#pragma once

#include "host_fallback/tensor.h"

namespace dbk {

// Element i of a float tensor, widened.
inline double real_at(const Tensor& tensor, int64_t i) {
  double value = 0;
  with_type<FLOATS>(tensor.type.dtype, [&]<class T>() { value = static_cast<double>(tensor.as<T>()[i]); });
  return value;
}

}  // namespace dbk
