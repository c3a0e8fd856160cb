// Reductions over a contiguous axis in independent lanes: the order of operations is fixed in the source, so compilers
// can vectorise without being allowed to reassociate, and sums lose less than a single running one.
#pragma once

#include <cstdint>

namespace dbk {

// combine(...) over load(0) ... load(n - 1), starting from `identity`.
template <class A, class Load, class Combine>
A lane_reduce(int64_t n, A identity, Load load, Combine combine) {
  constexpr int kLanes = 16;
  A lane[kLanes];
  for (int j = 0; j < kLanes; ++j) lane[j] = identity;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j) lane[j] = combine(lane[j], load(i + j));
  for (; i < n; ++i) lane[0] = combine(lane[0], load(i));
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int j = 0; j < width; ++j) lane[j] = combine(lane[j], lane[j + width]);
  return lane[0];
}

template <class A, class Load>
A lane_sum(int64_t n, Load load) {
  return lane_reduce<A>(n, A(0), load, [](A a, A b) { return a + b; });
}

// The larger of two values; a NaN wins, as in NumPy's maximum.
template <class A>
A larger(A a, A b) {
  return a > b || a != a ? a : b;
}
template <class A>
A smaller(A a, A b) {
  return a < b || a != a ? a : b;
}

}  // namespace dbk
