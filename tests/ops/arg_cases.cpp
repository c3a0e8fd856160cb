// ArgMax and ArgMin: every axis, lengths around a subgroup and a workgroup, ties that the attribute decides, NaN.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase arg(const char* name, const Operand& x, int64_t axis, int64_t keepdims = 1, int64_t last = 0) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis) + (last ? " last" : ""), {x},
                {{"axis", axis}, {"keepdims", keepdims}, {"select_last_index", last}});
}

// Few different numbers, so that many are equal.
Operand ties(DType dtype, const Shape& shape) {
  return is_float(dtype) ? reals(dtype, shape, {1, 3, -2, 3, 0, -2, -0.0, 3}) : list(dtype, shape, {1, 3, 0, 3, 2, 0, 1});
}

void add_lengths(Cases& cases, DType dtype, const std::vector<int64_t>& lengths) {
  for (int64_t last : {0, 1}) {
    for (int64_t axis : {0, 1, 2, -1}) cases.push_back(arg("axes", ties(dtype, {4, 3, 5}), axis, axis % 2, last));
    for (int64_t length : lengths) {
      cases.push_back(arg("rows", ties(dtype, {7, length}), 1, 0, last));
      cases.push_back(arg("columns", ties(dtype, {length, 67}), 0, 1, last));
    }
    cases.push_back(arg("long", tensor(dtype, {2, 100003}), 1, 1, last));
  }
}

}  // namespace

Cases arg_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    const bool all = stands_for_frame(row, dtype);
    add_lengths(cases, dtype, all ? std::vector<int64_t>{1, 2, 31, 32, 33, 63, 64, 65, 257, 1021} : std::vector<int64_t>{1, 33, 257});
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      if (all) cases.push_back(arg("layout", tensor(dtype, {3, 5, 7}).in(layout), 1));
    cases.push_back(arg("none", tensor(dtype, {0, 5}), 1));
  }
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(arg("dtype", tensor(dtype, {3, 5}), 1));
    for (int64_t last : {0, 1}) {
      if (is_float(dtype))
        cases.push_back(arg("specials",
                            reals(dtype, {5, 4}, {1, kNan, 3, kNan, -kInf, kInf, kInf, 2, -kInf, -kInf, -kInf, -kInf, 0, -0.0,
                                                  0, -0.0, 1e-40, 0, -1e-40, 0}),
                            1, 1, last));
      else
        cases.push_back(arg("specials", list(dtype, {3, 8}, special_integers(dtype)), 1, 1, last));
    }
  }
  cases.push_back(arg("weight", tensor(DBK_F32, {3, 5}).as(Origin::Param), 0));
  if (row.id == "arg_max") cases.push_back(arg("grid", tensor(DBK_F16, {kOverGrid, 2}), 1));
  return cases;
}

}  // namespace ops
