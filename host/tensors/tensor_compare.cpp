// Comparison of tensors; see tensor_compare.h.
#include "tensor_compare.h"

#include <algorithm>
#include <cmath>
#include <format>

#include "numbers.h"

namespace host {
namespace {

struct Tolerance {
  double relative, absolute;
};

// Of types with 8 bits and fewer the neighbouring number is far away: exactly.
Tolerance tolerance_of(uint32_t dtype) {
  if (!is_float(dtype) || DBK_DTYPE_BITS(dtype) <= 8) return {0, 0};
  if (dtype == DBK_F16) return {2e-3, 1e-3};
  if (dtype == DBK_BF16) return {0x1p-7, 1e-3};  // one unit in the last place
  return {1e-3, 1e-5};
}

bool close(double got, double expected, double allowed) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
  if (std::isinf(expected) || std::isinf(got)) return expected == got;
  return std::abs(got - expected) <= allowed;
}

std::string number_difference(const Tensor& got, const Tensor& expected) {
  const Tolerance tolerance = tolerance_of(expected.dtype);
  const std::vector<double> a = numbers_of(got), b = numbers_of(expected);
  std::size_t wrong = 0, worst = 0;
  double excess = -1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(b[i]);
    if (close(a[i], b[i], allowed)) continue;
    const double over = std::isfinite(a[i]) && std::isfinite(b[i]) ? std::abs(a[i] - b[i]) - allowed : INFINITY;
    if (over > excess) excess = over, worst = i;
    ++wrong;
  }
  if (wrong == 0) return {};
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(b[worst]);
  return std::format("{} of {} elements differ; element {} is {:.9g}, expected {:.9g} (allowed {:.3g})", wrong,
                     a.size(), worst, a[worst], b[worst], allowed);
}

}  // namespace

std::string difference(const Tensor& got, const Tensor& expected) {
  if (got.dtype != expected.dtype || !(got.dims == expected.dims))
    return std::format("is {}, expected {}", type_text(got.dtype, got.dims), type_text(expected.dtype, expected.dims));
  if (expected.dtype == DBK_STRING) return got.strings == expected.strings ? "" : "strings differ";
  // Equal bytes are equal whatever they mean; 64-bit integers would lose bits as numbers.
  if (std::ranges::equal(got.bytes, expected.bytes)) return {};
  const std::string result = number_difference(got, expected);
  return result.empty() && !is_float(expected.dtype) ? "integers differ beyond 2^53" : result;
}

}  // namespace host
