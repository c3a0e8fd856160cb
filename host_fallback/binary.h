// Frame of the element-wise ops with two broadcast operands: out[i] = f(a[i], b[i]). An op is a functor with
//   template <class T> T operator()(T a, T b) const
// for integer types, and the same with the compute type for floats; comparisons give bool instead. Variadic ops (Max,
// Min) fold their operands into the output.
#pragma once

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"
#include "host_fallback/strided.h"

namespace dbk {

// One run. The special cases are those that vectorise: two dense operands, or one dense and one scalar.
template <class T, class R, class F>
void binary_run(const T* a, int64_t step_a, const T* b, int64_t step_b, R* out, int64_t n, F f) {
  if (step_a == 1 && step_b == 1) {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(f(a[i], b[i]));
  } else if (step_a == 1 && step_b == 0) {
    const T y = *b;
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(f(a[i], y));
  } else if (step_a == 0 && step_b == 1) {
    const T x = *a;
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(f(x, b[i]));
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(f(a[i * step_a], b[i * step_b]));
  }
}

template <class T, class R, class F>
  requires is_staged<T>
void binary_run(const T* a, int64_t step_a, const T* b, int64_t step_b, R* out, int64_t n, F f) {
  Acc<T> x[kStage], y[kStage];
  for (int64_t first = 0; first < n; first += kStage) {
    const int64_t count = std::min(kStage, n - first);
    widen(a + first * step_a, step_a, x, count);
    widen(b + first * step_b, step_b, y, count);
    fill_block(out + first, count, [&](int64_t i) { return f(x[i], y[i]); });
  }
}

// `a` may be the output itself, in its own shape.
template <class T, class R = T, class F>
void binary_loop(const Tensor& a, const Tensor& b, Tensor& out, F f) {
  const StridedLoop<2> loop(out.shape(),
                            {broadcast_strides(a.shape(), out.shape()), broadcast_strides(b.shape(), out.shape())});
  const T *pa = a.as<T>(), *pb = b.as<T>();
  R* po = out.as<R>();
  parallel_ranges(out.count(), kElementGrain, [&loop, pa, pb, po, f](int64_t begin, int64_t end) {
    for_runs(loop, begin, end, [&](int64_t first, const Offsets<2>& at, int64_t n) {
      binary_run(pa + at[0], loop.step(0), pb + at[1], loop.step(1), po + first, n, f);
    });
  });
}

inline void infer_binary(Infer& infer) {
  Shape shape = infer.shape(0);
  for (size_t i = 1; i < infer.input_count(); ++i) shape = broadcast(shape, infer.shape(i));
  infer.out(0, infer.in(0).dtype, shape);
}

template <DTypeSet Set, class F>
void compute_binary(Compute& c) {
  with_type<Set>(c.out(0).type.dtype, [&]<class T>() { binary_loop<T>(c.in(0), c.in(1), c.out(0), F{}); });
}

inline void infer_compare(Infer& infer) { infer.out(0, DBK_BOOL, broadcast(infer.shape(0), infer.shape(1))); }

template <DTypeSet Set, class F>
void compute_compare(Compute& c) {
  with_type<Set>(c.in(0).type.dtype, [&]<class T>() { binary_loop<T, Bool>(c.in(0), c.in(1), c.out(0), F{}); });
}

// F has to be idempotent: f(x, x) = x makes a single operand a special case of two.
template <DTypeSet Set, class F>
void compute_variadic(Compute& c) {
  with_type<Set>(c.out(0).type.dtype, [&]<class T>() {
    binary_loop<T>(c.in(0), c.in(c.input_count() > 1 ? 1 : 0), c.out(0), F{});
    for (size_t i = 2; i < c.input_count(); ++i) binary_loop<T>(c.out(0), c.in(i), c.out(0), F{});
  });
}

template <DTypeSet Set, class F>
inline constexpr HostOp binary_op{Set, 0, infer_binary, compute_binary<Set, F>};
template <DTypeSet Set, class F>
inline constexpr HostOp compare_op{Set, 0, infer_compare, compute_compare<Set, F>};
template <DTypeSet Set, class F>
inline constexpr HostOp variadic_op{Set, 0, infer_binary, compute_variadic<Set, F>};

}  // namespace dbk
