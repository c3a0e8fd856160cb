// Range: both directions, none at all, 64-bit numbers that carry from word to word.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase range(const char* name, DType dtype, int64_t start, int64_t limit, int64_t delta, Origin origin = Origin::Const) {
  const auto one = [&](int64_t value) { return list(dtype, {}, {value}).as(origin); };
  return {name, {one(start), one(limit), one(delta)}};
}

OpCase reals_range(const char* name, DType dtype, double start, double limit, double delta) {
  const auto one = [&](double value) { return reals(dtype, {}, {value}).as(Origin::Const); };
  return {std::format("{} {} {} {}", name, start, limit, delta), {one(start), one(limit), one(delta)}};
}

}  // namespace

Cases range_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) {
    for (int64_t size : kSizes) cases.push_back(range("size", dtype, 3, 3 + size, 1));
    cases.push_back(range("backward", dtype, 10, -7, -3));
    cases.push_back(range("none", dtype, 3, 3, 1));
    cases.push_back(range("none", dtype, 3, 9, -1));
    cases.push_back(range("given", dtype, -2, 9, 4, Origin::Input).at(Place::Open));  // its extent comes with the run
    if (!is_float(dtype)) continue;
    cases.push_back(reals_range("fractions", dtype, -1.5, 3.0, 0.375));
    cases.push_back(reals_range("fractions", dtype, 1.0, -2.0, -0.1));
    cases.push_back(reals_range("many", dtype, -3.0, 3.0, 0.001));
  }
  constexpr int64_t kWord = int64_t{1} << 32;
  cases.push_back(range("carries", DBK_I64, kWord - 5, kWord + 900, 7));
  cases.push_back(range("borrows", DBK_I64, 5, -900, -7));
  cases.push_back(range("long steps", DBK_I64, -kWord * 65536 * 16384, kWord * 65536 * 16383, kWord * 65539 + 77777));
  cases.push_back(range("grid", DBK_I64, -kOverGrid / 2, kOverGrid / 2 + 1, 1));
  return cases;
}

}  // namespace ops
