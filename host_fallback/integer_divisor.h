// Division of integers by zero traps on most processors, so that it has to be found first.
#pragma once

#include "host_fallback/tensor.h"

namespace dbk {

template <class T>
void refuse_zeros(const Tensor& divisor) {
  const T* b = divisor.as<T>();
  for (int64_t i = 0, n = divisor.count(); i < n; ++i)
    if (b[i] == 0)
      fail(DBK_INVALID_ARGUMENT, "division by zero: element {} of the {} divisor is 0", i, to_string(divisor.type.dtype));
}

}  // namespace dbk
