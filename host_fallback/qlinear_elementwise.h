// Frame of element-wise ops on codes of bytes: what codes stand for goes in, the code of the result comes out. An op is
// a functor of floats, with attributes where it has a constructor for them. One operand has 256 codes at most, so the
// functor is asked 256 times at most.
#pragma once

#include "host_fallback/requantize.h"
#include "host_fallback/strided.h"
#include "host_fallback/unary.h"

namespace dbk {

inline constexpr DTypeSet kCodeTypes = I8 | U8;

// A scale and a zero point that follow each other among the inputs; the zero point may be absent.
struct ScaleAndZero {
  float scale, zero;
  ScaleAndZero(const Compute& c, size_t i)
      : scale(single_number(c.in(i))), zero(c.has(i + 1) ? single_number(c.in(i + 1)) : 0.0f) {}
  template <class T>
  float real(T code) const {
    return (static_cast<float>(code) - zero) * scale;
  }
  template <class T>
  T code(float x) const {
    using L = std::numeric_limits<T>;
    return static_cast<T>(quantized(x / scale, zero, static_cast<float>(L::min()), static_cast<float>(L::max())));
  }
};

inline void require_scale_and_zero(const Infer& infer, size_t i, const char* what) {
  require_single(infer, i, what);
  if (infer.has(i + 1)) require_single(infer, i + 1, what);
}

// Results for all codes of T, by their bits.
template <class T, class F>
void fill_code_table(const ScaleAndZero& from, const ScaleAndZero& to, F f, T (&table)[256]) {
  for (int i = 0; i < 256; ++i) table[i] = to.template code<T>(f(from.real(static_cast<T>(i))));
}

inline void infer_qlinear_unary(Infer& infer) {
  require_scale_and_zero(infer, 1, "X_scale or X_zero_point");
  require_scale_and_zero(infer, 3, "Y_scale or Y_zero_point");
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

template <class F>
void compute_qlinear_unary(Compute& c) {
  with_type<kCodeTypes>(c.in(0).type.dtype, [&]<class T>() {
    T table[256];
    fill_code_table(ScaleAndZero(c, 1), ScaleAndZero(c, 3), make_functor<F>(c.attrs()), table);
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(c.in(0).count(), kElementGrain, [&table, in, out](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out[i] = table[static_cast<uint8_t>(in[i])];
    });
  });
}

inline void infer_qlinear_binary(Infer& infer) {
  require_scale_and_zero(infer, 1, "A_scale or A_zero_point");
  require_scale_and_zero(infer, 4, "B_scale or B_zero_point");
  require_scale_and_zero(infer, 6, "C_scale or C_zero_point");
  infer.out(0, infer.in(0).dtype, broadcast(infer.shape(0), infer.shape(3)));
}

template <class F>
void compute_qlinear_binary(Compute& c) {
  const ScaleAndZero a(c, 1), b(c, 4), y(c, 6);
  const StridedLoop<2> loop(c.out(0).shape(), {broadcast_strides(c.in(0).shape(), c.out(0).shape()),
                                               broadcast_strides(c.in(3).shape(), c.out(0).shape())});
  with_type<kCodeTypes>(c.in(0).type.dtype, [&]<class T>() {
    const T *pa = c.in(0).as<T>(), *pb = c.in(3).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(c.out(0).count(), kElementGrain, [&loop, &a, &b, &y, pa, pb, out](int64_t begin, int64_t end) {
      for_runs(loop, begin, end, [&](int64_t first, const Offsets<2>& at, int64_t n) {
        for (int64_t i = 0; i < n; ++i)
          out[first + i] =
              y.template code<T>(F{}(a.real(pa[at[0] + i * loop.step(0)]), b.real(pb[at[1] + i * loop.step(1)])));
      });
    });
  });
}

template <class F>
inline constexpr HostOp qlinear_unary_op{kCodeTypes, 0, infer_qlinear_unary, compute_qlinear_unary<F>};
template <class F>
inline constexpr HostOp qlinear_binary_op{kCodeTypes, 0, infer_qlinear_binary, compute_qlinear_binary<F>};

}  // namespace dbk
