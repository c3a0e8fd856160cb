// Mean and variance of rows, for the normalisations: formed in double in two passes.
#pragma once

#include <cmath>

#include "host_fallback/lanes.h"
#include "host_fallback/staging.h"

namespace dbk {

struct Moments {
  double mean, inverse;  // inverse: 1 / sqrt(variance + epsilon)
};

template <class T>
Moments moments_of(const T* x, int64_t n, double epsilon) {
  using A = Acc<T>;
  double sum = 0, square = 0;
  for_blocks(x, n, [&](const A* v, int64_t, int64_t count) {
    sum += lane_sum<double>(count, [v](int64_t i) { return static_cast<double>(v[i]); });
  });
  const double mean = sum / static_cast<double>(n);
  for_blocks(x, n, [&, mean](const A* v, int64_t, int64_t count) {
    square += lane_sum<double>(count, [v, mean](int64_t i) {
      return (static_cast<double>(v[i]) - mean) * (static_cast<double>(v[i]) - mean);
    });
  });
  return {mean, 1.0 / std::sqrt(square / static_cast<double>(n) + epsilon)};
}

// y = (x - mean) * inverse * scale + bias. The mean is subtracted in two parts, as its rounding would be an error of the
// large numbers that it takes away from small differences.
template <class T>
void normalize_plane(const T* x, T* y, int64_t n, Moments moments, T scale, T bias) {
  using A = Acc<T>;
  const A mean = static_cast<A>(moments.mean), rest = static_cast<A>(moments.mean - static_cast<double>(mean));
  const A factor = static_cast<A>(moments.inverse * static_cast<double>(scale)), offset = static_cast<A>(bias);
  for_blocks(x, n, [=](const A* v, int64_t first, int64_t count) {
    fill_block(y + first, count, [=](int64_t i) { return (v[i] - mean - rest) * factor + offset; });
  });
}

}  // namespace dbk
