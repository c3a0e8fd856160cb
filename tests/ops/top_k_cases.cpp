// TopK: every axis, none to all elements, ties, NaN, outputs that nobody wants, and the attribute of old versions.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase top(const char* name, const Operand& x, int64_t k, int64_t axis = -1, int64_t largest = 1) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis) + (largest ? "" : " smallest"), {x, integers({k})},
                {{"axis", axis}, {"largest", largest}})
      .wanting({true, true});
}

}  // namespace

Cases top_k_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0))
    for (int64_t largest : {0, 1}) {
      for (int64_t k : {0, 1, 3, 7}) cases.push_back(top("dtype", tensor(dtype, {3, 7}), k, 1, largest));
      cases.push_back(top("axis", tensor(dtype, {9, 5, 2}), 4, 0, largest));
      cases.push_back(top("ties", list(dtype, {2, 40}, {1, 0, 2, 2, 1}), 33, 1, largest));
    }
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  cases.push_back(top("specials", reals(DBK_F32, {12}, {1, kNan, 3, -0.0, kNan, 0, -5, 1e30, 0, -1e30, 2, 2}), 9));
  cases.push_back(top("specials", reals(DBK_F32, {12}, {1, kNan, 3, -0.0, kNan, 0, -5, 1e30, 0, -1e30, 2, 2}), 12, 0, 0));
  for (int64_t k : {1, 1000, 4099}) cases.push_back(top("many", tensor(DBK_F32, {3, 4099}), k));
  cases.push_back(top("too many", tensor(DBK_F32, {20011}), 1000).at(Place::Host));  // pairs to compare
  cases.push_back(top("too many", tensor(DBK_F32, {20011}), 20011).at(Place::Host));
  cases.push_back(top("values alone", tensor(DBK_F32, {5, 65}), 20).wanting({true, false}).at(Place::Host));
  cases.push_back(top("indices alone", tensor(DBK_F32, {5, 65}), 20).wanting({false, true}).at(Place::Host));
  cases.push_back(OpCase("attribute", {tensor(DBK_F32, {5, 7})}, {{"k", 3}, {"axis", 0}}).wanting({true, true}).with_opset(9));
  return cases;
}

}  // namespace ops
