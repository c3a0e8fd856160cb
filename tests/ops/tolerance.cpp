#include "tests/ops/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/ops/awkward.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

// normal, denormal: the smallest. overflow: what first rounds to infinity. 16-bit types are computed in f32 and rounded
// once, so the row's tolerance counts in epsilons of f32 there, and one of their own comes on top: sums in f16 do not
// pass.
struct FloatType {
  double computed, rounded;  // epsilons
  double normal, denormal, overflow;
};

FloatType float_type(DType dtype) {
  switch (dtype) {
    case DBK_F16:
      return {0x1p-23, 0x1p-10, 0x1p-14, 0x1p-24, 65520.0};
    case DBK_BF16:
      return {0x1p-23, 0x1p-7, 0x1p-126, 0x1p-133, 0x1.FFp127};
    case DBK_F32:
      return {0x1p-23, 0, 0x1p-126, 0x1p-149, 0x1.FFFFFFp127};
    default:
      return {0x1p-52, 0, 0x1p-1022, 0x1p-1074, std::numeric_limits<double>::infinity()};
  }
}

constexpr double kFlushed = 0x1p-126;  // operands and results below the smallest normal f32 may count as zero

double allowed_error(double wanted, double scale, const FloatType& type, const Tolerance& tolerance) {
  const double least = tolerance.flushes ? kFlushed : 0;
  if (tolerance.epsilons == 0) return least;
  const double size = scale > std::fabs(wanted) ? scale : std::fabs(wanted);
  const double error = tolerance.epsilons * type.computed * size + type.rounded * std::fabs(wanted);
  return std::max({error, least, type.denormal * std::max(tolerance.epsilons, 1.0)});
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
  const std::vector<double> wanted_all = numbers(expected.exact), got_all = numbers(actual);
  std::optional<Mismatch> worst;
  double worst_excess = 0;
  for (size_t i = 0; i < got_all.size(); ++i) {
    const double wanted = wanted_all[i], got = got_all[i];
    const double allowed = allowed_error(wanted, expected.scale.empty() ? 0 : expected.scale[i], type, tolerance);
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
