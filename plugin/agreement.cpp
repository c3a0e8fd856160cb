#include "plugin/agreement.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plugin/probe_numbers.h"

namespace dbk {

namespace {

// Of a fraction, and of the smallest normal number.
int bits_of(DType dtype) { return dtype == DBK_F16 ? 10 : dtype == DBK_BF16 ? 7 : 23; }
int least_exponent(DType dtype) { return dtype == DBK_F16 ? -14 : -126; }

template <class T>
std::vector<float> floats_of(std::span<const std::byte> bytes) {
  std::vector<float> list(bytes.size() / sizeof(T));
  for (size_t i = 0; i < list.size(); ++i) list[i] = reinterpret_cast<const T*>(bytes.data())[i];
  return list;
}

double last_place(double x, DType dtype) {
  const int exponent = x == 0 ? least_exponent(dtype) : std::max(std::ilogb(x), least_exponent(dtype));
  return std::ldexp(1.0, exponent - bits_of(dtype));
}

double largest_of(const Numbers& numbers) {
  double largest = 1;
  for (const float x : numbers.list)
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(double{x}));
  return largest;
}

// How far a result may be from the expected one.
std::function<double(double expected)> tolerance(const Numbers& expected, const Sums& sums) {
  const DType dtype = expected.dtype;
  const double half_unit = std::ldexp(0.5, -bits_of(dtype));
  if (sums.terms == 0) return [most = 64 * half_unit * largest_of(expected)](double) { return most; };
  const bool exact = sums.terms <= (dtype == DBK_F32 ? int64_t{1} << 24 : dtype == DBK_F16 ? kMostExactTerms : 256);
  if (sums.alone && exact) return [](double) { return 0.0; };
  if (sums.alone) return [dtype](double x) { return last_place(x, dtype); };
  const double units = dtype == DBK_F32 ? 64 : 4;  // few where a lost term, which is 1 at most, is few of them: half of it at kMostExactTerms
  return [=, sum = std::sqrt(static_cast<double>(sums.terms))](double x) { return units * half_unit * (std::fabs(x) + sum); };
}

bool agree(const Numbers& expected, const Numbers& got, const Sums& sums) {
  const auto allowed = tolerance(expected, sums);
  const auto same = [&](float x, float y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return x == y || (std::isnan(x) && std::isnan(y));
    return std::fabs(double{x} - double{y}) <= allowed(x);
  };
  return expected.dtype == got.dtype && std::ranges::equal(expected.list, got.list, same);
}

}  // namespace

Numbers numbers_of(std::span<const std::byte> bytes, DType dtype) {
  if (dtype == DBK_F16) return {dtype, floats_of<Half>(bytes)};
  if (dtype == DBK_BF16) return {dtype, floats_of<BFloat16>(bytes)};
  return {dtype, floats_of<float>(bytes)};
}

std::string refuse_reference(const std::vector<Numbers>& results) {
  size_t all = 0, finite = 0, nonzero = 0;
  for (const Numbers& result : results) {
    all += result.list.size();
    for (const float x : result.list) finite += std::isfinite(x), nonzero += std::isfinite(x) && x != 0;
  }
  if (2 * finite < all) return "most results of made-up numbers are not finite, so a wrong kernel would not be seen";
  return nonzero == 0 ? "all results of made-up numbers are zero, so a wrong kernel would not be seen" : "";
}

bool agree(const std::vector<Numbers>& expected, const std::vector<Numbers>& got, const Sums& sums) {
  return std::ranges::equal(expected, got, [&](const Numbers& x, const Numbers& y) { return agree(x, y, sums); });
}

}  // namespace dbk
