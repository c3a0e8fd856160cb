// Windows as the kernels with kernels/_spatial.wgsl see them: three axes, outermost first, missing ones of extent 1.
#pragma once

#include "host_fallback/windows.h"
#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

struct SpatialAxis {
  uint32_t extent, result;
  float result_inverse;
  uint32_t kernel, stride, dilation, begin, end;
};

// Empty, or why kernels cannot slide these windows.
std::string refuse_windows(const Windows& windows);

std::array<SpatialAxis, 3> spatial_axes(const Windows& windows);

}  // namespace dbk::gpu
