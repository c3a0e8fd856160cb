// QLinearAveragePool and QLinearGlobalAveragePool: the mean of what codes stand for, as a code. Padding that counts
// stands for zero.
#pragma once

#include "host_fallback/byte_pool.h"
#include "host_fallback/qlinear_elementwise.h"

namespace dbk {

template <class T>
struct MeanOfCodes {
  ScaleAndZero from, to;
  int64_t identity() const { return 0; }
  int64_t combine(int64_t sum, int32_t code) const { return sum + code - static_cast<int32_t>(from.zero); }
  T finish(int64_t sum, int64_t count) const {
    return to.template code<T>(static_cast<float>(sum) * from.scale / static_cast<float>(count));
  }
};

// Inputs of both ops: the tensor, then scale and zero point of it and of the result.
inline bool has_channels_last(const Attributes& attrs) { return attrs.integer("channels_last") != 0; }
inline Shape pooled_input(const Attributes& attrs, const Shape& x) {
  return has_channels_last(attrs) ? channels_second(x) : x;
}

inline void infer_qlinear_pool(Infer& infer, const Shape& result) {
  require_scale_and_zero(infer, 1, "x_scale or x_zero_point");
  require_scale_and_zero(infer, 3, "y_scale or y_zero_point");
  infer.out(0, infer.in(0).dtype, has_channels_last(infer.attrs()) ? channels_last(result) : result);
}

inline void compute_qlinear_pool(Compute& c, const Windows& windows, bool count_padding) {
  if (c.out(0).count() == 0) return;
  const Shape x = pooled_input(c.attrs(), c.in(0).shape());
  with_type<kCodeTypes>(c.in(0).type.dtype, [&]<class T>() {
    pool_bytes(windows, x[0] * x[1], {x[1], has_channels_last(c.attrs())}, count_padding, c.in(0).as<T>(),
               c.out(0).as<T>(), MeanOfCodes<T>{ScaleAndZero(c, 1), ScaleAndZero(c, 3)});
  });
}

}  // namespace dbk
