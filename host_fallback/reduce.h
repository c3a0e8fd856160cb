// Frame of the reductions. An op is a struct F with
//   State<T>                 the type partial results have for elements T
//   identity<T>()            what an empty reduction starts from
//   term<T>(x)               what an element adds: a partial result
//   combine(a, b)            two partial results
//   finish<T>(state, count)  the result of `count` elements, as Acc<T>
// Axes come from an attribute or, in newer versions, from input 1.
#pragma once

#include "host_fallback/op.h"
#include "host_fallback/lanes.h"
#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"
#include "host_fallback/staging.h"
#include "host_fallback/strided.h"

namespace dbk {

void infer_reduce(Infer& infer);

// The input seen as kept axes, walked in the order of the output, and reduced axes.
struct ReducePlan {
  StridedLoop<1> kept, reduced;
  int64_t outputs, count;  // elements of the output; elements behind each of them
  explicit ReducePlan(const Compute& c);
};

// Reduced elements are neighbours: each output is a sum of runs.
template <class F, class T>
void reduce_to_scalar(const ReducePlan& plan, const T* in, T* out) {
  using S = typename F::template State<T>;
  S state = F::template identity<T>();
  for_runs(plan.reduced, 0, plan.count, [&](int64_t, const Offsets<1>& at, int64_t n) {
    const T* run = in + at[0];
    const int64_t step = plan.reduced.step(0);
    if (step != 1) {
      for (int64_t i = 0; i < n; ++i) state = F::combine(state, F::template term<T>(static_cast<Acc<T>>(run[i * step])));
      return;
    }
    for_blocks(run, n, [&](const Acc<T>* x, int64_t, int64_t count) {
      const S part = lane_reduce<S>(
          count, F::template identity<T>(), [x](int64_t i) { return F::template term<T>(x[i]); },
          [](S a, S b) { return F::combine(a, b); });
      state = F::combine(state, part);
    });
  });
  *out = static_cast<T>(F::template finish<T>(state, plan.count));
}

// Kept elements are neighbours: `width` outputs side by side.
inline constexpr int64_t kReduceWidth = 64;
template <class F, class T>
void reduce_to_row(const ReducePlan& plan, const T* in, T* out, int64_t width) {
  using S = typename F::template State<T>;
  S state[kReduceWidth];
  std::fill_n(state, kReduceWidth, F::template identity<T>());
  for_runs(plan.reduced, 0, plan.count, [&](int64_t, const Offsets<1>& at, int64_t n) {
    const T* row = in + at[0];
    for (int64_t i = 0; i < n; ++i, row += plan.reduced.step(0))
      for_blocks(row, width, [&](const Acc<T>* x, int64_t, int64_t count) {  // one block: kReduceWidth < kStage
        for (int64_t j = 0; j < count; ++j) state[j] = F::combine(state[j], F::template term<T>(x[j]));
      });
  });
  for (int64_t j = 0; j < width; ++j) out[j] = static_cast<T>(F::template finish<T>(state[j], plan.count));
}

template <DTypeSet Set, class F>
void compute_reduce(Compute& c) {
  const ReducePlan plan(c);
  with_type<Set>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(plan.outputs, grain_of(plan.count), [&plan, in, out](int64_t begin, int64_t end) {
      const int64_t step = plan.kept.step(0);
      for_runs(plan.kept, begin, end, [&](int64_t first, const Offsets<1>& at, int64_t n) {
        const int64_t width = step == 1 && n > 1 ? kReduceWidth : 1;
        for (int64_t i = 0; i < n; i += width) {
          const T* from = in + at[0] + i * step;
          if (width > 1)
            reduce_to_row<F>(plan, from, out + first + i, std::min(width, n - i));
          else
            reduce_to_scalar<F>(plan, from, out + first + i);
        }
      });
    });
  });
}

template <DTypeSet Set, class F>
inline constexpr HostOp reduce_op{Set, 1u << 1, infer_reduce, compute_reduce<Set, F>};

// What most reductions have; an op derives from one of these and says where it differs.

// Sums of the elements: of floats in double, of integers in their ring, which wraps, or in double as well.
template <bool kInDouble = false>
struct Sums {
  template <class T>
  using State = std::conditional_t<kInDouble, double, SumOf<T>>;
  template <class T>
  static State<T> identity() {
    return 0;
  }
  template <class T>
  static State<T> term(Acc<T> x) {
    return static_cast<State<T>>(x);
  }
  template <class S>
  static S combine(S a, S b) {
    return a + b;
  }
  template <class T>
  static Acc<T> finish(State<T> sum, int64_t) {
    return static_cast<Acc<T>>(sum);
  }
};

// One of the elements.
struct Choice {
  template <class T>
  using State = Acc<T>;
  template <class T>
  static State<T> term(Acc<T> x) {
    return x;
  }
  template <class T>
  static Acc<T> finish(State<T> state, int64_t) {
    return state;
  }
};

inline constexpr DTypeSet kSummable = FLOATS | I32 | I64 | U32 | U64;

}  // namespace dbk
