// LogSoftmax: x - max - log(sum(exp(x - max))) along an axis, in double and rounded once.
#include <cmath>
#include <limits>

#include "host_fallback/softmax_lines.h"

namespace dbk {

namespace {

void compute(Compute& c) {
  for_softmax_lines(c, 16, []<class T>(const T* in, T* out, int64_t n, int64_t step) {
    const auto x = [=](int64_t i) { return static_cast<double>(static_cast<Acc<T>>(in[i * step])); };
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < n; ++i) top = x(i) > top ? x(i) : top;
    for (int64_t i = 0; i < n; ++i) sum += std::exp(x(i) - top);
    const double log_sum = std::log(sum);
    for (int64_t i = 0; i < n; ++i) out[i * step] = static_cast<T>(static_cast<Acc<T>>(x(i) - top - log_sum));
  });
}

}  // namespace

extern constinit const HostOp host_log_softmax{FLOATS, 0, infer_softmax, compute};

}  // namespace dbk
