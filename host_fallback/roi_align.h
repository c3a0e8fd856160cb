// What RoiAlign on every device agrees on.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

struct RoiAlignSpec {
  bool maximum;     // mode max: of the weighted neighbours of all samples
  bool half_pixel;  // coordinate_transformation_mode
  int64_t height, width, sampling;
  double scale;
};

// Throws INVALID_ARGUMENT for values that do not fit.
RoiAlignSpec roi_align_spec(const Attributes& attrs);

}  // namespace dbk
