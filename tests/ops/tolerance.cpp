#include "tests/ops/tolerance.h"

#include "tests/ops/awkward.h"
#include "tests/ops/float_type.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

constexpr double kWrong = std::numeric_limits<double>::infinity();

double allowed_at(double y, double drift, const FloatType& type, const Tolerance& tolerance) {
  if (tolerance.epsilons == 0 && drift == 0) return 0;
  const double error = (tolerance.epsilons * std::fabs(y) + tolerance.rounding * drift) * type.epsilon;
  return error + type.rounding(std::fabs(y) + error);
}

bool same_sign(double a, double b) { return std::signbit(a) == std::signbit(b); }

// The error as a multiple of the allowed one.
double share_of(double expected, double actual, double allowed, const FloatType& type, const Tolerance& tolerance) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual) ? 0 : kWrong;
  if (std::isinf(actual)) {  // right where the value is out of range, or near enough to it
    const bool over = std::fabs(expected) + (std::isinf(expected) ? 0 : allowed) >= type.overflow;
    return over && same_sign(expected, actual) ? 0 : kWrong;
  }
  if (std::isinf(expected)) return kWrong;
  if (std::fabs(expected) - allowed >= type.overflow) return kWrong;
  if (actual == 0 && expected == 0) return tolerance.zero_sign && !same_sign(expected, actual) ? kWrong : 0;
  constexpr double kNormal = 0x1p-126;  // of f32; below it adapters that flush cannot tell numbers apart
  if (tolerance.flushes && std::fabs(expected) < kNormal && std::fabs(actual) < kNormal) return 0;
  const double error = std::fabs(expected - actual);
  return error == 0 ? 0 : error / allowed;
}

Worst compare_reals(const Expected& expected, const dbk::HostTensor& actual, const Tolerance& tolerance) {
  const FloatType type = float_type(actual.type.dtype);
  const bool either = tolerance.flushes && expected.flushed.type.dtype != DBK_DTYPE_NONE;
  const std::vector<double> wanted = numbers(expected.exact), got = numbers(actual);
  const std::vector<double> flushed = either ? numbers(expected.flushed) : std::vector<double>{};
  Worst worst;
  for (size_t i = 0; i < got.size(); ++i) {
    const double drift = expected.drift.empty() ? 0 : expected.drift[i];
    const double allowed = allowed_at(wanted[i], drift, type, tolerance);
    double share = share_of(wanted[i], got[i], allowed, type, tolerance);
    if (either && share > 1)
      share = std::min(share, share_of(flushed[i], got[i], allowed_at(flushed[i], drift, type, tolerance), type,
                                       tolerance));
    if (share > worst.share) worst = {share, static_cast<int64_t>(i), wanted[i], got[i], allowed};
  }
  return worst;
}

}  // namespace

Tolerance tolerance_of(const dbk::OpRow& row, Kind kind) {
  const bool signs = row.id == "neg" || row.id == "abs" || row.id == "cast";
  const bool bitwise = moves(row) || discrete(row);
  if (kind == Kind::Cpu) return {row.tolerance.cpu, 0.5, false, signs, bitwise};
  return {row.tolerance.gpu, 1, true, signs, bitwise};
}

double allowed_error(const Expected& expected, size_t i, DType dtype, const Tolerance& tolerance) {
  const double drift = expected.drift.empty() ? 0 : expected.drift[i];
  return allowed_at(element(expected.exact, static_cast<int64_t>(i)), drift, float_type(dtype), tolerance);
}

std::optional<int64_t> first_difference(const dbk::HostTensor& a, const dbk::HostTensor& b) {
  if (!(a.type == b.type) || a.bytes.size() != b.bytes.size()) return 0;
  const auto [at, other] = std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
  if (at == a.bytes.end()) return std::nullopt;
  return (at - a.bytes.begin()) * 8 / dbk::bits_of(a.type.dtype);
}

Worst compare(const Expected& expected, const dbk::HostTensor& actual, const Tolerance& tolerance) {
  if (!tolerance.bitwise && is_float(actual.type.dtype)) return compare_reals(expected, actual, tolerance);
  const auto at = first_difference(expected.exact, actual);
  if (!at) return {};
  return {kWrong, *at, element(expected.exact, *at), element(actual, *at), 0};
}

}  // namespace ops
