// com.microsoft.Inverse: matrices of the last two axes, by elimination with the largest pivot, in double. A singular matrix gives
// infinities or NaN, as dividing by its pivot does.
#include <cmath>
#include <utility>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

int64_t order_of(const Shape& shape) {
  const uint32_t rank = shape.rank();
  if (rank < 2 || shape[rank - 1] != shape[rank - 2]) fail(DBK_INVALID_ARGUMENT, "an input of shape {} has no square matrices", to_string(shape));
  return shape[rank - 1];
}

void infer(Infer& infer) {
  order_of(infer.shape(0));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

// Rows of [matrix, inverse], side by side.
int64_t work_bytes(const Compute& c) {
  const int64_t n = order_of(c.in(0).shape());
  return 2 * n * n * static_cast<int64_t>(sizeof(double));
}

void eliminate(double* rows, int64_t n) {
  const int64_t width = 2 * n;
  for (int64_t i = 0; i < n; ++i) {
    int64_t pivot = i;
    for (int64_t r = i + 1; r < n; ++r)
      if (std::fabs(rows[r * width + i]) > std::fabs(rows[pivot * width + i])) pivot = r;
    if (pivot != i) std::swap_ranges(rows + i * width, rows + (i + 1) * width, rows + pivot * width);
    const double divisor = rows[i * width + i];
    for (int64_t j = 0; j < width; ++j) rows[i * width + j] /= divisor;
    for (int64_t r = 0; r < n; ++r) {
      const double factor = rows[r * width + i];
      if (r == i || factor == 0) continue;
      for (int64_t j = i; j < width; ++j) rows[r * width + j] -= factor * rows[i * width + j];
    }
  }
}

void compute(Compute& c) {
  const int64_t n = order_of(c.in(0).shape()), matrices = n == 0 ? 0 : c.in(0).count() / (n * n);
  double* rows = reinterpret_cast<double*>(c.work());
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* x = c.in(0).as<T>();
    T* y = c.out(0).as<T>();
    for (int64_t m = 0; m < matrices; ++m, x += n * n, y += n * n) {
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          rows[i * 2 * n + j] = static_cast<double>(static_cast<Acc<T>>(x[i * n + j]));
          rows[i * 2 * n + n + j] = i == j ? 1 : 0;
        }
      eliminate(rows, n);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) y[i * n + j] = number_cast<T>(rows[i * 2 * n + n + j]);
    }
  });
}

}  // namespace

extern constinit const HostOp host_inverse{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
