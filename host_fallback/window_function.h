// Frame of the window functions: `size` samples of a sum of cosines, a - b cos(x) + c cos(2 x), where x goes round the circle once: to its end
// (symmetric) or to one sample before it (periodic). An op is its three numbers.
#pragma once

#include <cmath>
#include <numbers>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"

namespace dbk {

inline void infer_window(Infer& infer) {
  const Tensor& size = infer.value(0);
  if (size.count() != 1 || integer_at(size, 0) < 0)
    fail(DBK_INVALID_ARGUMENT, "size is {}", size.count() == 1 ? integer_at(size, 0) : 0);
  const DType dtype = dtype_of_onnx(infer.attrs().integer("output_datatype"));
  if (!contains(NUMBERS, dtype)) fail(DBK_INVALID_ARGUMENT, "output_datatype is {}", infer.attrs().integer("output_datatype"));
  infer.out(0, dtype, {integer_at(size, 0)});
}

template <class W>
void compute_window(Compute& c) {
  const int64_t size = c.out(0).count(), steps = c.attrs().integer("periodic") != 0 ? size : size - 1;
  with_type<NUMBERS>(c.out(0).type.dtype, [&]<class T>() {
    for (int64_t i = 0; i < size; ++i) {
      const double x = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(steps);
      c.out(0).as<T>()[i] = number_cast<T>(W::a - W::b * std::cos(x) + W::c * std::cos(2 * x));
    }
  });
}

template <class W>
inline constexpr HostOp window_op{I32 | I64, 0b1, infer_window, compute_window<W>};

}  // namespace dbk
