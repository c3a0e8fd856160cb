// The growth of roundings in sums; drift.h derives it.
#pragma once

#include <algorithm>
#include <cmath>

namespace ops {

inline double chain(double additions) { return 3 * std::sqrt(std::max(additions, 1.0)); }
inline double blocked(double length) { return chain(std::min(length, 64 + 2 * std::sqrt(length))); }

}  // namespace ops
