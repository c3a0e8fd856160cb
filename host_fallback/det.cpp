// Det: the determinants of the matrices in the last two axes, by elimination with the largest pivot, in double. The determinant of a matrix
// without rows is 1.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  const uint32_t rank = x.rank();
  if (rank < 2 || x[rank - 1] != x[rank - 2]) fail(DBK_INVALID_ARGUMENT, "the input has shape {}, no square matrices", to_string(x));
  infer.out(0, infer.in(0).dtype, Shape(std::span<const int64_t>(x).first(rank - 2)));
}

double determinant(double* m, int64_t n) {
  double result = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (std::fabs(m[i * n + k]) > std::fabs(m[pivot * n + k])) pivot = i;
    if (m[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      std::swap_ranges(m + pivot * n, m + pivot * n + n, m + k * n);
      result = -result;
    }
    result *= m[k * n + k];
    for (int64_t i = k + 1; i < n; ++i) {
      const double factor = m[i * n + k] / m[k * n + k];
      for (int64_t j = k; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
    }
  }
  return result;
}

void compute(Compute& c) {
  const Shape& x = c.in(0).shape();
  const int64_t n = x[x.rank() - 1];
  double* matrix = reinterpret_cast<double*>(c.work());
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    for (int64_t i = 0, count = c.out(0).count(); i < count; ++i) {
      for (int64_t k = 0; k < n * n; ++k) matrix[k] = static_cast<double>(c.in(0).as<T>()[i * n * n + k]);
      c.out(0).as<T>()[i] = number_cast<T>(determinant(matrix, n));
    }
  });
}

int64_t work_bytes(const Compute& c) {
  const Shape& x = c.in(0).shape();
  return 8 * x[x.rank() - 1] * x[x.rank() - 1];
}

}  // namespace

extern constinit const HostOp host_det{FLOATS, 0, infer, compute, 0, nullptr, 0, work_bytes};

}  // namespace dbk
