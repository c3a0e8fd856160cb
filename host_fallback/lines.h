// A tensor as [outer, n, inner]: lines of n elements along one axis, `inner` apart.
#pragma once

#include "host_fallback/shape.h"

namespace dbk {

struct Lines {
  int64_t outer = 1, n = 1, inner = 1;

  int64_t count() const { return outer * inner; }                                     // of lines
  int64_t first(int64_t line) const { return line / inner * n * inner + line % inner; }  // offset of a line's first element
};

inline Lines lines_of(const Shape& shape, uint32_t axis) {
  Lines lines;
  for (uint32_t d = 0; d < shape.rank(); ++d) (d < axis ? lines.outer : d > axis ? lines.inner : lines.n) *= shape[d];
  return lines;
}

}  // namespace dbk
