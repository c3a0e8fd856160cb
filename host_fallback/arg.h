// Frame of ArgMax and ArgMin: the index, along an axis, of the element that comes first in an order. A NaN comes before
// everything, as in NumPy; of equal ones the first is taken, or the last with select_last_index.
#pragma once

#include "host_fallback/lines.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

inline void infer_arg(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), shape.rank());
  Shape out;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    if (d != axis) out.push_back(shape[d]);
    else if (infer.attrs().integer("keepdims") != 0) out.push_back(1);
  }
  if (shape[axis] == 0 && out.count() > 0) fail(DBK_INVALID_ARGUMENT, "axis {} of the input {} is empty", axis, to_string(shape));
  infer.out(0, DBK_I64, out);
}

// F(a, b): whether a comes before b; neither is NaN.
template <DTypeSet Set, class F>
void compute_arg(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const Lines lines = lines_of(shape, normalize_axis(c.attrs().integer("axis"), shape.rank()));
  const bool last = c.attrs().integer_or("select_last_index", 0) != 0;
  if (c.out(0).count() == 0) return;
  with_type<Set>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    int64_t* out = c.out(0).as<int64_t>();
    parallel_ranges(lines.count(), grain_of(lines.n), [=](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const T* at = in + lines.first(line);
        int64_t best = 0;
        Acc<T> top = static_cast<Acc<T>>(*at);
        for (int64_t i = 1; i < lines.n; ++i) {
          const Acc<T> x = static_cast<Acc<T>>(at[i * lines.inner]);
          const bool same = x == top || (x != x && top != top);
          if (same ? last : top == top && (x != x || F{}(x, top))) top = x, best = i;
        }
        out[line] = best;
      }
    });
  });
}

template <DTypeSet Set, class F>
inline constexpr HostOp arg_op{Set, 0, infer_arg, compute_arg<Set, F>};

}  // namespace dbk
