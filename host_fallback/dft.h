// What DFT on every device agrees on.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

struct DftSpec {
  uint32_t axis;
  int64_t length;        // of the transform
  int64_t bins;          // of the result along the axis
  bool inverse;          // and divided by the length
  bool real_in, real_out;
  bool half_in;          // the input is the first half of a spectrum that is symmetric
};

// `length` and `axis`: the tensors of inputs 1 and 2, or null. Throws INVALID_ARGUMENT for what does not fit.
DftSpec dft_spec(const Attributes& attrs, const Shape& x, const Tensor* length, const Tensor* axis);

}  // namespace dbk
