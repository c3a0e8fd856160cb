// LpNormalization: x divided by the 1-norm or 2-norm of its line along an axis; a line of norm 0 stays 0. Sums are formed in
// double.
#include <cmath>

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  normalize_axis(infer.attrs().integer("axis"), shape.rank());
  const int64_t p = infer.attrs().integer("p");
  if (p != 1 && p != 2) fail(DBK_INVALID_ARGUMENT, "p is {}, not 1 or 2", p);
  infer.out(0, infer.in(0).dtype, shape);
}

template <class T>
void normalize_line(const T* in, T* out, int64_t n, int64_t step, bool squares) {
  using A = Acc<T>;
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(in[i * step]);
    sum += squares ? x * x : std::fabs(x);
  }
  const double norm = squares ? std::sqrt(sum) : sum;
  for (int64_t i = 0; i < n; ++i)
    out[i * step] = static_cast<T>(norm == 0 ? A(0) : static_cast<A>(static_cast<double>(in[i * step]) / norm));
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  if (shape.count() == 0) return;
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), shape.rank());
  const bool squares = c.attrs().integer("p") == 2;
  const int64_t n = shape[axis];
  int64_t inner = 1;
  for (uint32_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(shape.count() / n, grain_of(n), [=](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t at = line / inner * n * inner + line % inner;
        normalize_line(in + at, out + at, n, inner, squares);
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_lp_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
