// Hardmax: 1 at the first of the largest elements along an axis, 0 elsewhere; a NaN counts as the largest.
#include "host_fallback/softmax_lines.h"

namespace dbk {

namespace {

void compute(Compute& c) {
  for_softmax_lines(c, 1, []<class T>(const T* in, T* out, int64_t n, int64_t step) {
    int64_t best = 0;
    for (int64_t i = 1; i < n; ++i) {
      const Acc<T> x = static_cast<Acc<T>>(in[i * step]), top = static_cast<Acc<T>>(in[best * step]);
      if (x > top || (x != x && top == top)) best = i;
    }
    for (int64_t i = 0; i < n; ++i) out[i * step] = static_cast<T>(Acc<T>(i == best ? 1 : 0));
  });
}

}  // namespace

extern constinit const HostOp host_hardmax{FLOATS, 0, infer_softmax, compute};

}  // namespace dbk
