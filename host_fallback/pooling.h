// Frames of the pooling ops. An op is a struct F made from the node's attributes, with
//   State<T>                 the type partial results have for elements T
//   identity<T>()            what an empty window starts from
//   of<T>(x)                 the state of one element
//   combine(a, b)            two states
//   finish<T>(state, count)  the result, as Acc<T>; count: taps of the window, with padding where count_include_pad asks
// Windows of one row of the result are computed side by side, tap by tap, so that loops vectorise.
#pragma once

#include <cmath>
#include <limits>

#include "host_fallback/op.h"
#include "host_fallback/lanes.h"
#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"
#include "host_fallback/windows.h"

namespace dbk {

struct MaximumPool {
  explicit MaximumPool(const Attributes&) {}
  template <class T>
  using State = Acc<T>;
  template <class T>
  static State<T> identity() {
    if constexpr (std::is_floating_point_v<Acc<T>>) return -std::numeric_limits<Acc<T>>::infinity();
    return std::numeric_limits<Acc<T>>::lowest();
  }
  template <class T>
  State<T> of(Acc<T> x) const { return x; }
  template <class S>
  static S combine(S a, S b) { return larger(a, b); }
  template <class T>
  Acc<T> finish(State<T> state, int64_t) const { return state; }
};

struct AverageOfPool {
  explicit AverageOfPool(const Attributes&) {}
  template <class T>
  using State = double;
  template <class T>
  static double identity() { return 0; }
  template <class T>
  double of(Acc<T> x) const { return static_cast<double>(x); }
  static double combine(double a, double b) { return a + b; }
  template <class T>
  Acc<T> finish(double sum, int64_t count) const { return static_cast<Acc<T>>(sum / static_cast<double>(count)); }
};

struct LpOfPool {
  double p;
  explicit LpOfPool(const Attributes& attrs) : p(static_cast<double>(attrs.integer("p"))) {}
  template <class T>
  using State = double;
  template <class T>
  static double identity() { return 0; }
  template <class T>
  double of(Acc<T> x) const {
    const double a = std::fabs(static_cast<double>(x));
    return p == 2 ? a * a : p == 1 ? a : std::pow(a, p);
  }
  static double combine(double a, double b) { return a + b; }
  template <class T>
  Acc<T> finish(double sum, int64_t) const {
    return static_cast<Acc<T>>(p == 2 ? std::sqrt(sum) : p == 1 ? sum : std::pow(sum, 1 / p));
  }
};

void infer_pool(Infer& infer);
void infer_global_pool(Infer& infer);

// One row of the result: its place in the outer axes, and the taps there that see the input.
class PoolRow {
 public:
  // `row` counts rows of all planes.
  PoolRow(const Windows& windows, int64_t row, bool count_padding);
  // Calls f(offset) with the start of each input row under a tap of the outer axes, within the plane.
  template <class F>
  void for_rows(F&& f) const {
    const uint32_t outer = w_.rank - 1;
    int64_t tap[DBK_MAX_RANK];
    for (uint32_t d = 0; d < outer; ++d) {
      if (taps_[d].count() == 0) return;
      tap[d] = taps_[d].first;
    }
    for (;;) {
      int64_t offset = 0;
      for (uint32_t d = 0; d < outer; ++d) offset = offset * w_[d].in + start_[d] + tap[d] * w_[d].dilation;
      f(offset * w_[outer].in);
      uint32_t d = outer;
      while (d > 0 && ++tap[d - 1] == taps_[d - 1].last) --d, tap[d] = taps_[d].first;
      if (d == 0) return;
    }
  }
  // Taps that count for result `o` of the row.
  int64_t counted(int64_t o) const;
  int64_t plane() const { return plane_; }

 private:
  const Windows& w_;
  bool count_padding_;
  int64_t plane_, counted_outer_ = 1;
  int64_t start_[DBK_MAX_RANK];
  TapRange taps_[DBK_MAX_RANK];
};

// Results [first, first + width) of an axis for which tap `tap` lies inside the input.
TapRange results_within(const WindowAxis& axis, int64_t tap, int64_t first, int64_t width);

inline constexpr int64_t kPoolWidth = 64;

template <class T, class F>
void pool_row(const F& f, const Windows& w, const PoolRow& row, const T* in, T* out) {
  using S = typename F::template State<T>;
  const WindowAxis& axis = w[w.rank - 1];
  const T* plane = in + row.plane() * w.in_count();
  for (int64_t first = 0; first < axis.out; first += kPoolWidth) {
    const int64_t width = std::min(kPoolWidth, axis.out - first);
    S state[kPoolWidth];
    std::fill_n(state, width, F::template identity<T>());
    row.for_rows([&](int64_t offset) {
      for (int64_t tap = 0; tap < axis.kernel; ++tap) {
        const TapRange at = results_within(axis, tap, first, width);
        const T* x = plane + offset + axis.start(first) + tap * axis.dilation;
        for (int64_t j = at.first; j < at.last; ++j)
          state[j] = F::combine(state[j], f.template of<T>(static_cast<Acc<T>>(x[j * axis.stride])));
      }
    });
    for (int64_t j = 0; j < width; ++j)
      out[first + j] = static_cast<T>(f.template finish<T>(state[j], row.counted(first + j)));
  }
}

template <DTypeSet Set, class F>
void compute_pool(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Windows w = pooling_windows(c.attrs(), c.in(0).shape());
  const bool count_padding = c.attrs().integer_or("count_include_pad", 0) != 0;
  const int64_t length = w[w.rank - 1].out;
  const F f(c.attrs());
  with_type<Set>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(c.out(0).count() / length, grain_of(length * w.taps()), [=, &w](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        pool_row(f, w, PoolRow(w, row, count_padding), in, out + row * length);
    });
  });
}

// The whole of every channel as one window.
template <DTypeSet Set, class F>
void compute_global_pool(Compute& c) {
  const int64_t rows = c.out(0).count();
  if (rows == 0) return;
  const int64_t length = c.in(0).count() / rows;
  const F f(c.attrs());
  with_type<Set>(c.in(0).type.dtype, [&]<class T>() {
    using S = typename F::template State<T>;
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(rows, grain_of(length), [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* x = in + row * length;
        const S state = lane_reduce<S>(
            length, F::template identity<T>(), [=](int64_t i) { return f.template of<T>(static_cast<Acc<T>>(x[i])); },
            [](S a, S b) { return F::combine(a, b); });
        out[row] = static_cast<T>(f.template finish<T>(state, length));
      }
    });
  });
}

}  // namespace dbk
