#include "host_fallback/strided.h"

namespace dbk {

namespace {

// Whether axis `inner` continues axis `outer` for every operand, so that both are one axis.
bool continues(int64_t inner_extent, std::span<const Shape> strides, uint32_t outer, uint32_t inner) {
  for (const Shape& s : strides)
    if (s[outer] != s[inner] * inner_extent) return false;
  return true;
}

}  // namespace

void collapse_axes(Shape& extent, std::span<Shape> strides) {
  if (extent.rank() == 0) {
    extent.push_back(1);
    for (Shape& s : strides) s.push_back(0);
    return;
  }
  uint32_t kept = 0;  // axes [0, kept) are done
  for (uint32_t d = 0; d < extent.rank(); ++d) {
    if (extent[d] == 1) continue;
    if (kept > 0 && continues(extent[d], strides, kept - 1, d)) {
      extent[kept - 1] *= extent[d];
      for (Shape& s : strides) s[kept - 1] = s[d];
      continue;
    }
    extent[kept] = extent[d];
    for (Shape& s : strides) s[kept] = s[d];
    ++kept;
  }
  if (kept == 0) {
    for (Shape& s : strides) s[0] = 0;
    kept = 1;
  }
  extent.resize(kept);
  for (Shape& s : strides) s.resize(kept);
}

}  // namespace dbk
