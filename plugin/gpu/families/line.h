// The condition of the `line` programs (kernels/_line.wgsl, line_text.h): a software adapter whose subgroups are
// vectors of 8 and whose accesses are not bounds-checked. Everywhere else their uniform loads would waste seven lanes
// of eight.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr uint32_t kLineLanes = 8;
inline constexpr uint32_t kLineVectors = 8;  // vec4 that a subgroup takes at a time in element-wise programs

// For elements of that many bytes.
inline bool line_possible(const Capabilities& caps, uint32_t element_bytes = 4) {
  constexpr uint64_t kMaskedVectors = uint64_t{1} << 26;  // what the 26 bits of `unaligned` reach
  return caps.cpu_adapter && !caps.robust && caps.subgroups && caps.max_binding <= kMaskedVectors * 4 * element_bytes &&
         caps.subgroup_min == kLineLanes && caps.subgroup_max == kLineLanes;
}

}  // namespace dbk::gpu
