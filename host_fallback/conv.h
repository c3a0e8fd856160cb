// What a Conv or ConvTranspose node means in numbers, for host, oneDNN and GPU alike.
#pragma once

#include "host_fallback/windows.h"

namespace dbk {

struct Convolution {
  Windows windows;
  int64_t batch, groups;
  int64_t channels_in, channels_out;  // of one group
};

// From the shapes of input and weights; throws INVALID_ARGUMENT where they do not fit.
Convolution convolution_of(const Attributes& attrs, const Shape& x, const Shape& w);
Convolution transposed_convolution_of(const Attributes& attrs, const Shape& x, const Shape& w);

// Spatial extents of weights; throws where the attribute kernel_shape says otherwise.
Shape kernel_of(const Attributes& attrs, const Shape& w);

}  // namespace dbk
