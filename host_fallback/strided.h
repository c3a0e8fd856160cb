// Walks a dense row-major output together with operands that are read at element strides (0 where broadcast, negative
// where reversed). Axes that can be walked as one are merged first, so that most loops end up with one or two long
// runs.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "host_fallback/shape.h"

namespace dbk {

// Drops axes of extent 1 and merges neighbours; leaves at least one axis.
void collapse_axes(Shape& extent, std::span<Shape> strides);

template <size_t N>
struct StridedLoop {
  Shape extent;
  std::array<Shape, N> strides;

  StridedLoop() = default;  // no axes: to be assigned
  StridedLoop(const Shape& out, const std::array<Shape, N>& operand_strides) : extent(out), strides(operand_strides) {
    collapse_axes(extent, strides);
  }
  int64_t run_length() const { return extent[extent.rank() - 1]; }
  int64_t step(size_t operand) const { return strides[operand][extent.rank() - 1]; }  // of an operand along a run
};

template <size_t N>
using Offsets = std::array<int64_t, N>;

// Where the operands of output element `index` lie.
template <size_t N>
Offsets<N> offsets_of(const StridedLoop<N>& loop, int64_t index) {
  Offsets<N> offsets{};
  for (uint32_t d = loop.extent.rank(); d-- > 0; index /= loop.extent[d])
    for (size_t k = 0; k < N; ++k) offsets[k] += index % loop.extent[d] * loop.strides[k][d];
  return offsets;
}

// Calls f(first, offsets, length) for consecutive runs covering elements [begin, end) of the output. `first` is the
// run's first element; operand k is read at offsets[k] + i * loop.step(k) for i in [0, length).
template <size_t N, class F>
void for_runs(const StridedLoop<N>& loop, int64_t begin, int64_t end, F&& f) {
  if (begin >= end) return;
  const uint32_t last = loop.extent.rank() - 1;
  int64_t at[DBK_MAX_RANK];
  Offsets<N> row{};  // offsets of column 0
  int64_t rest = begin;
  for (uint32_t d = last + 1; d-- > 0; rest /= loop.extent[d]) {
    at[d] = rest % loop.extent[d];
    if (d == last) continue;
    for (size_t k = 0; k < N; ++k) row[k] += at[d] * loop.strides[k][d];
  }
  for (int64_t column = at[last]; begin < end; column = 0) {
    const int64_t length = std::min(loop.extent[last] - column, end - begin);
    Offsets<N> offsets = row;
    for (size_t k = 0; k < N; ++k) offsets[k] += column * loop.strides[k][last];
    f(begin, offsets, length);
    begin += length;
    for (uint32_t d = last; d-- > 0;) {
      const bool carry = ++at[d] == loop.extent[d];
      for (size_t k = 0; k < N; ++k) row[k] += (carry ? 1 - loop.extent[d] : 1) * loop.strides[k][d];
      if (!carry) break;
      at[d] = 0;
    }
  }
}

}  // namespace dbk
