// LogSoftmax: x - max - log(sum(exp(x - max))) along an axis, in double and rounded once.
#include <cmath>
#include <limits>

#include "host_fallback/parallel.h"
#include "host_fallback/softmax_lines.h"

namespace dbk {

namespace {

template <class T>
void log_softmax(const T* in, T* out, int64_t n, int64_t step) {
  const auto x = [=](int64_t i) { return static_cast<double>(static_cast<Acc<T>>(in[i * step])); };
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t i = 0; i < n; ++i) top = x(i) > top ? x(i) : top;
  for (int64_t i = 0; i < n; ++i) sum += std::exp(x(i) - top);
  const double log_sum = std::log(sum);
  for (int64_t i = 0; i < n; ++i) out[i * step] = static_cast<T>(static_cast<Acc<T>>(x(i) - top - log_sum));
}

void compute(Compute& c) {
  const Lines lines = softmax_lines(c.attrs(), c.version(), c.in(0).shape());
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(lines.count(), grain_of(lines.n * 16), [=](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line)
        log_softmax(in + lines.first(line), out + lines.first(line), lines.n, lines.inner);
    });
  });
}

}  // namespace

extern constinit const HostOp host_log_softmax{FLOATS, 0, infer_softmax, compute};

}  // namespace dbk
