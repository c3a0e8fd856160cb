#include "tests/ops/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/ops/awkward.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

struct FloatType {
  double epsilon, normal, denormal,
      overflow;  // normal, denormal: smallest ones. overflow: what first rounds to infinity
};

FloatType float_type(DType dtype) {
  switch (dtype) {
    case DBK_F16:
      return {0x1p-10, 0x1p-14, 0x1p-24, 65520.0};
    case DBK_BF16:
      return {0x1p-7, 0x1p-126, 0x1p-133, 0x1.FFp127};
    case DBK_F32:
      return {0x1p-23, 0x1p-126, 0x1p-149, 0x1.FFFFFFp127};
    default:
      return {0x1p-52, 0x1p-1022, 0x1p-1074, std::numeric_limits<double>::infinity()};
  }
}

bool same_sign(double a, double b) { return std::signbit(a) == std::signbit(b); }

// How many times the allowed error the error is; 0 where it is allowed.
double excess(double expected, double actual, double allowed, const FloatType& type, const Tolerance& tolerance) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual) ? 0 : kWrong;
  if (std::isinf(actual)) {  // right where the value is out of range, or near enough to it
    const bool over = std::fabs(expected) + (std::isinf(expected) ? 0 : allowed) >= type.overflow;
    return over && same_sign(expected, actual) ? 0 : kWrong;
  }
  if (std::isinf(expected)) return kWrong;
  if (std::fabs(expected) >= type.overflow && std::fabs(expected) - allowed >= type.overflow) return kWrong;
  if (actual == 0 && expected == 0) return tolerance.zero_sign && !same_sign(expected, actual) ? kWrong : 0;
  if (actual == 0 && tolerance.flushes && std::fabs(expected) < type.normal) return 0;
  const double error = std::fabs(expected - actual);
  return error <= allowed ? 0 : error / allowed;
}

std::optional<Mismatch> compare_reals(const Expected& expected, const dbk::HostTensor& actual,
                                      const Tolerance& tolerance) {
  const FloatType type = float_type(actual.type.dtype);
  const bool exact = tolerance.epsilons == 0;
  const std::vector<double> wanted_all = numbers(expected.exact), got_all = numbers(actual);
  std::optional<Mismatch> worst;
  double worst_excess = 0;
  for (size_t i = 0; i < got_all.size(); ++i) {
    const double wanted = wanted_all[i], got = got_all[i];
    double size = std::fabs(wanted);
    if (!expected.scale.empty()) size = std::max(size, expected.scale[i]);
    // A device that flushes takes operands and results below the smallest normal number for zero; elsewhere their
    // spacing is fixed.
    const double least = tolerance.flushes ? type.normal
                         : exact           ? 0
                                           : type.denormal * std::max(tolerance.epsilons, 1.0);
    const double allowed = std::max(tolerance.epsilons * type.epsilon * size, least);
    const double over = excess(wanted, got, allowed, type, tolerance);
    if (over <= worst_excess) continue;
    worst_excess = over;
    worst = {static_cast<int64_t>(i), wanted, got, allowed};
  }
  return worst;
}

}  // namespace

std::optional<int64_t> first_difference(const dbk::HostTensor& a, const dbk::HostTensor& b) {
  if (!(a.type == b.type) || a.bytes.size() != b.bytes.size()) return 0;
  const auto [at, other] = std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
  if (at == a.bytes.end()) return std::nullopt;
  return (at - a.bytes.begin()) / (dbk::bits_of(a.type.dtype) / 8);
}

std::optional<Mismatch> compare(const Expected& expected, const dbk::HostTensor& actual, const Tolerance& tolerance) {
  if (!tolerance.bitwise && is_float(actual.type.dtype)) return compare_reals(expected, actual, tolerance);
  const auto at = first_difference(expected.exact, actual);
  if (!at) return std::nullopt;
  return Mismatch{*at, element(expected.exact, *at), element(actual, *at), 0};
}

}  // namespace ops
