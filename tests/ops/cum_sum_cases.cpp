// CumSum: every axis and both attributes, short lines and long ones.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase cum_sum(const char* name, const Operand& x, int64_t axis, int64_t exclusive = 0, int64_t reverse = 0) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis), {x, list(DBK_I64, {}, {axis}).as(Origin::Const)},
                {{"exclusive", exclusive}, {"reverse", reverse}});
}

}  // namespace

Cases cum_sum_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (int64_t exclusive : {0, 1})
      for (int64_t reverse : {0, 1})
        for (int64_t axis : {0, 1, -1}) cases.push_back(cum_sum("axes", tensor(dtype, {4, 3, 5}), axis, exclusive, reverse));
    for (int64_t size : kSizes) cases.push_back(cum_sum("size", tensor(dtype, {size}), 0));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(cum_sum("layout", tensor(dtype, {3, 5, 7}).in(layout), 1));
    cases.push_back(cum_sum("rows", tensor(dtype, {70001, 3}), 1));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(cum_sum("dtype", tensor(dtype, {3, 5}), 1));
  cases.push_back(cum_sum("weight", tensor(DBK_F32, {3, 5}).as(Origin::Param), 0));
  return cases;
}

}  // namespace ops
