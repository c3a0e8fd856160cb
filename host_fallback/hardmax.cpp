// Hardmax: 1 at the first of the largest elements along an axis, 0 elsewhere; a NaN counts as the largest.
#include "host_fallback/parallel.h"
#include "host_fallback/softmax_lines.h"

namespace dbk {

namespace {

void compute(Compute& c) {
  const Lines lines = softmax_lines(c.attrs(), c.version(), c.in(0).shape());
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(lines.count(), grain_of(lines.n), [=](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t first = lines.first(line);
        int64_t best = 0;
        for (int64_t i = 1; i < lines.n; ++i) {
          const Acc<T> x = static_cast<Acc<T>>(in[first + i * lines.inner]), top = static_cast<Acc<T>>(in[first + best * lines.inner]);
          if (x > top || (x != x && top == top)) best = i;
        }
        for (int64_t i = 0; i < lines.n; ++i) out[first + i * lines.inner] = static_cast<T>(Acc<T>(i == best ? 1 : 0));
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_hardmax{FLOATS, 0, infer_softmax, compute};

}  // namespace dbk
