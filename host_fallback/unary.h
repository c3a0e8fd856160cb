// Frame of the element-wise ops with one operand: out[i] = f(in[i]). An op is a functor with
//   template <class A> A operator()(A x) const
// where A is the compute type (float for f16 and bf16); a predicate gives bool instead. A functor with attributes takes
// `const Attributes&` in its constructor and reads them once per call; one of many steps names a type Wide (wide_ranges.h).
#pragma once

#include <type_traits>

#include "host_fallback/number_block.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"
#include "host_fallback/wide_ranges.h"

namespace dbk {

template <class F>
F make_functor(const Attributes& attrs) {
  if constexpr (std::is_constructible_v<F, const Attributes&>)
    return F(attrs);
  else
    return F{};
}

inline void infer_unary(Infer& infer) { infer.out(0, infer.in(0).dtype, infer.shape(0)); }

template <class T, class R, class F>
void unary_loop(const T* in, R* out, int64_t count, F f) {
  const auto range = [=](int64_t begin, int64_t end) {
    for_blocks(in + begin, end - begin, [=](const Acc<T>* x, int64_t first, int64_t n) {
      fill_block(out + begin + first, n, [=](int64_t i) { return f(x[i]); });
    });
  };
  if constexpr (requires { typename F::Wide; })
    parallel_wide_ranges(count, kElementGrain, range);
  else
    parallel_ranges(count, kElementGrain, range);
}

template <DTypeSet Set, class F>
void compute_unary(Compute& c) {
  const F f = make_functor<F>(c.attrs());
  with_type<Set>(c.in(0).type.dtype,
                 [&]<class T>() { unary_loop(c.in(0).as<T>(), c.out(0).as<T>(), c.in(0).count(), f); });
}

inline void infer_predicate(Infer& infer) { infer.out(0, DBK_BOOL, infer.shape(0)); }

template <DTypeSet Set, class F>
void compute_predicate(Compute& c) {
  const F f = make_functor<F>(c.attrs());
  with_type<Set>(c.in(0).type.dtype,
                 [&]<class T>() { unary_loop(c.in(0).as<T>(), c.out(0).as<Bool>(), c.in(0).count(), f); });
}

// Predicates of floats, those of 8 bits among them: small floats are read as f32, which holds each of them.
template <class F>
void compute_float_predicate(Compute& c) {
  const Tensor& in = c.in(0);
  if (contains(FLOATS, in.type.dtype)) return compute_predicate<FLOATS, F>(c);
  const F f = make_functor<F>(c.attrs());
  Bool* out = c.out(0).as<Bool>();
  parallel_ranges(in.count(), kElementGrain, [&in, f, out](int64_t begin, int64_t end) {
    float numbers[kStage];
    for (int64_t first = begin; first < end; first += kStage) {
      const int64_t n = std::min(kStage, end - first);
      read_block(in, first, n, numbers);
      for (int64_t i = 0; i < n; ++i) out[first + i] = Bool(f(numbers[i]));
    }
  });
}

template <DTypeSet Set, class F>
inline constexpr HostOp unary_op{Set, 0, infer_unary, compute_unary<Set, F>};
template <DTypeSet Set, class F>
inline constexpr HostOp predicate_op{Set, 0, infer_predicate, compute_predicate<Set, F>};
template <class F>
inline constexpr HostOp float_predicate_op{FLOATS | FLOATS8, 0, infer_predicate, compute_float_predicate<F>};

}  // namespace dbk
