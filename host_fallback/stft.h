// What STFT on every device agrees on.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

struct Frames {
  enum Input : size_t { kSignal, kStep, kWindow, kLength };

  int64_t batch, samples, length, step, count, bins;
  bool real;  // samples have no imaginary part
};

// `signal` and `window` (or null): shapes; `step` and `length` (or null): tensors of one element. Throws INVALID_ARGUMENT for what does not fit.
Frames stft_frames(const Attributes& attrs, const Shape& signal, const Shape* window, const Tensor& step, const Tensor* length);

}  // namespace dbk
