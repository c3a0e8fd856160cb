// The lines that Softmax, LogSoftmax and Hardmax work on. Before version 13 the axes from `axis` on are flattened into one.
#pragma once

#include <utility>

#include "host_fallback/lines.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

inline Lines softmax_lines(const Attributes& attrs, uint32_t version, const Shape& shape) {
  Lines lines = lines_of(shape, shape.rank() == 0 ? 0 : normalize_axis(attrs.integer("axis"), shape.rank()));
  if (version < 13) lines.n *= std::exchange(lines.inner, 1);
  return lines;
}

inline void infer_softmax(Infer& infer) {
  softmax_lines(infer.attrs(), infer.version(), infer.shape(0));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

// Calls f(in, out, n, step) for every line: n elements, `step` apart; each is about as much work as `steps` cheap ones.
template <class F>
void for_softmax_lines(Compute& c, int64_t steps, F f) {
  const Lines lines = softmax_lines(c.attrs(), c.version(), c.in(0).shape());
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(lines.count(), grain_of(lines.n * steps), [=](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) f(in + lines.first(line), out + lines.first(line), lines.n, lines.inner);
    });
  });
}

}  // namespace dbk
