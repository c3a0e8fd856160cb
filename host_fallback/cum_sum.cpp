// CumSum: the sums of a line's first elements, along an axis; from its end with `reverse`, without the element itself with
// `exclusive`. Floats are added in double, integers wrap.
#include "host_fallback/lines.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I32 | I64 | U32 | U64;

void infer(Infer& infer) {
  if (infer.value(1).count() != 1) fail(DBK_INVALID_ARGUMENT, "axis has shape {}, not one element", to_string(infer.shape(1)));
  normalize_axis(integer_at(infer.value(1), 0), infer.shape(0).rank());
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const Lines lines = lines_of(shape, normalize_axis(integer_at(c.in(1), 0), shape.rank()));
  const bool exclusive = c.attrs().integer("exclusive") != 0, reverse = c.attrs().integer("reverse") != 0;
  if (c.out(0).count() == 0) return;
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(lines.count(), grain_of(lines.n), [=](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        SumOf<T> sum = 0;
        for (int64_t i = 0; i < lines.n; ++i) {
          const int64_t at = lines.first(line) + (reverse ? lines.n - 1 - i : i) * lines.inner;
          const SumOf<T> next = sum + static_cast<SumOf<T>>(static_cast<Acc<T>>(in[at]));
          out[at] = static_cast<T>(static_cast<Acc<T>>(exclusive ? sum : next));
          sum = next;
        }
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_cum_sum{kTypes, 1u << 1, infer, compute};

}  // namespace dbk
