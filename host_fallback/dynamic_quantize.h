// The scale and zero point that DynamicQuantizeLinear chooses: u8 codes for the range of the numbers, zero included.
#pragma once

#include "host_fallback/quantization.h"

namespace dbk {

struct DynamicScale {
  float scale, zero;
};

// Of finite numbers; NaN is ignored.
DynamicScale dynamic_scale(const float* numbers, int64_t count);

}  // namespace dbk
