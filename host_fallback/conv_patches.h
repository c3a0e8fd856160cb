// The input of a convolution as columns of a matrix, one for each window: patches are packed a tile at a time, so that
// no copy of the input is made.
#pragma once

#include "host_fallback/matrix_product.h"
#include "host_fallback/windows.h"

namespace dbk {

// Row k of the panel is channel k / taps under tap k % taps. Padding is 0, and so are bytes that equal `zero`.
template <class T>
class Patches {
 public:
  using R = Ring<T>;
  static constexpr int64_t kWidth = kTileColumns<R>;

  explicit Patches(const Windows& windows, const T* planes, R zero = 0) : w_(windows), x_(planes), zero_(zero) {
    int64_t step = 1;
    for (uint32_t d = w_.rank; d-- > 0; step *= w_[d].in) step_[d] = step;
    plane_ = step;
  }

  void operator()(int64_t k0, int64_t depth, int64_t column, int64_t width, R (*panel)[kWidth]) {
    place(column, width);
    int64_t tap[DBK_MAX_RANK];
    const int64_t taps = w_.taps();
    int64_t rest = k0 % taps;
    for (uint32_t d = w_.rank; d-- > 0; rest /= w_[d].kernel) tap[d] = rest % w_[d].kernel;
    const T* channel = x_ + k0 / taps * plane_;
    for (int64_t k = 0; k < depth; ++k) {
      row(channel, tap, width, panel[k]);
      uint32_t d = w_.rank;
      while (d-- > 0) {
        if (++tap[d] < w_[d].kernel) break;
        tap[d] = 0;
        if (d == 0) channel += plane_;
      }
    }
  }

 private:
  // Coordinates under tap 0 for `width` windows from `column` on, and where they lie.
  void place(int64_t column, int64_t width) {
    for (int64_t j = 0; j < width; ++j) {
      int64_t rest = column + j;
      base_[j] = 0;
      for (uint32_t d = w_.rank; d-- > 0; rest /= w_[d].out) {
        start_[d][j] = w_[d].start(rest % w_[d].out);
        base_[j] += start_[d][j] * step_[d];
      }
    }
  }

  void row(const T* channel, const int64_t* tap, int64_t width, R* out) const {
    int64_t offset = 0;
    bool inside[kWidth];
    std::fill_n(inside, kWidth, true);
    for (uint32_t d = 0; d < w_.rank; ++d) {
      const int64_t shift = tap[d] * w_[d].dilation;
      const auto extent = static_cast<uint64_t>(w_[d].in);
      offset += shift * step_[d];
      for (int64_t j = 0; j < width; ++j) inside[j] &= static_cast<uint64_t>(start_[d][j] + shift) < extent;
    }
    for (int64_t j = 0; j < width; ++j) out[j] = inside[j] ? number(channel[base_[j] + offset]) : R(0);
    for (int64_t j = width; j < kWidth; ++j) out[j] = R(0);
  }

  R number(T x) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<R>(x) - zero_;
    else
      return static_cast<R>(x);
  }

  const Windows& w_;
  const T* x_;
  R zero_;
  int64_t plane_, step_[DBK_MAX_RANK];
  int64_t start_[DBK_MAX_RANK][kWidth], base_[kWidth];
};

}  // namespace dbk
