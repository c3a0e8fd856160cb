#include "plugin/gpu/families/spatial.h"

namespace dbk::gpu {

std::string refuse_windows(const Windows& windows) {
  if (windows.rank > 3) return std::format("{} spatial axes have no kernel, 3 have", windows.rank);
  constexpr int64_t kLargest = int64_t{1} << 30;  // coordinates, padding included, are 32 bits that wrap
  for (uint32_t d = 0; d < windows.rank; ++d) {
    const WindowAxis& a = windows[d];
    if (a.begin + a.in + a.end + a.reach() + a.stride > kLargest || a.out * a.stride > kLargest)
      return "windows of such extents have no kernel";
  }
  return {};
}

std::array<SpatialAxis, 3> spatial_axes(const Windows& windows) {
  std::array<SpatialAxis, 3> axes;
  axes.fill({1, 1, 1, 1, 1, 1, 0, 0});
  const uint32_t lead = 3 - windows.rank;
  for (uint32_t d = 0; d < windows.rank; ++d) {
    const WindowAxis& a = windows[d];
    axes[lead + d] = {to_u32(a.in),     to_u32(a.out),      inverse_of(a.out), to_u32(a.kernel),
                      to_u32(a.stride), to_u32(a.dilation), to_u32(a.begin),   to_u32(a.end)};
  }
  return axes;
}

}  // namespace dbk::gpu
