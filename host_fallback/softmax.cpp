// Softmax: exp(x - max) / sum(exp(x - max)) along an axis; terms are added in double. Before version 13 the axes from
// `axis` on are flattened into one.
#include <limits>

#include "host_fallback/elementary.h"
#include "host_fallback/lanes.h"
#include "host_fallback/parallel.h"
#include "host_fallback/softmax_lines.h"
#include "host_fallback/staging.h"

namespace dbk {

namespace {

// One contiguous row.
template <class T>
void softmax_row(const T* in, T* out, int64_t n) {
  using A = Acc<T>;
  A top = -std::numeric_limits<A>::infinity();
  double sum = 0;
  for_blocks(in, n, [&](const A* x, int64_t, int64_t count) {
    top = lane_reduce<A>(count, top, [x](int64_t i) { return x[i]; }, [](A a, A b) { return a > b ? a : b; });
  });
  const auto term = [top](A x) { return elementary::exp(x - top); };
  if constexpr (!is_staged<T>) {
    for (int64_t i = 0; i < n; ++i) out[i] = term(in[i]);
    sum = lane_sum<double>(n, [out](int64_t i) { return static_cast<double>(out[i]); });
    for (int64_t i = 0; i < n; ++i) out[i] /= static_cast<A>(sum);
  } else {  // 16 bits are too few to keep the terms in the output
    A terms[kStage];
    for_blocks(in, n, [&](const A* x, int64_t, int64_t count) {
      for (int64_t i = 0; i < count; ++i) terms[i] = term(x[i]);
      sum += lane_sum<double>(count, [&](int64_t i) { return static_cast<double>(terms[i]); });
    });
    const A total = static_cast<A>(sum);
    for_blocks(in, n, [=](const A* x, int64_t first, int64_t count) {
      fill_block(out + first, count, [=](int64_t i) { return term(x[i]) / total; });
    });
  }
}

// `width` columns side by side, each `n` long with `stride` between elements.
constexpr int64_t kWidth = 64;
template <class T>
void softmax_columns(const T* in, T* out, int64_t n, int64_t stride, int64_t width) {
  using A = Acc<T>;
  A top[kWidth];
  double sum[kWidth];
  std::fill_n(top, kWidth, -std::numeric_limits<A>::infinity());
  std::fill_n(sum, kWidth, 0.0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < width; ++j) {
      const A x = static_cast<A>(in[i * stride + j]);
      top[j] = top[j] > x ? top[j] : x;
    }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < width; ++j)
      sum[j] += static_cast<double>(elementary::exp(static_cast<A>(in[i * stride + j]) - top[j]));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < width; ++j)
      out[i * stride + j] =
          static_cast<T>(elementary::exp(static_cast<A>(in[i * stride + j]) - top[j]) / static_cast<A>(sum[j]));
}

template <class T>
void softmax(const Lines& e, const T* in, T* out) {
  const int64_t columns = (e.inner + kWidth - 1) / kWidth;
  parallel_ranges(e.outer * columns, grain_of(e.n * std::min(e.inner, kWidth) * 4), [=](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t column = task % columns * kWidth;
      const int64_t base = task / columns * e.n * e.inner + column;
      if (e.inner == 1)
        softmax_row(in + base, out + base, e.n);
      else
        softmax_columns(in + base, out + base, e.n, e.inner, std::min(kWidth, e.inner - column));
    }
  });
}

void compute(Compute& c) {
  const Lines e = softmax_lines(c.attrs(), c.version(), c.in(0).shape());
  if (e.outer * e.n * e.inner == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { softmax(e, c.in(0).as<T>(), c.out(0).as<T>()); });
}

}  // namespace

extern constinit const HostOp host_softmax{FLOATS, 0, infer_softmax, compute};

}  // namespace dbk
