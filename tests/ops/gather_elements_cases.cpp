// GatherElements: every axis, indices of both types, fewer and more than the data has, negative ones, every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase gather(const char* name, const Operand& data, const Operand& indices, int64_t axis) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis), {data, indices}, {{"axis", axis}});
}

}  // namespace

Cases gather_elements_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16})
    for (DType index : {DBK_I32, DBK_I64}) {
      for (int64_t axis : {0, 1, 2, -1}) {
        const double extent = axis == 0 ? 3 : axis == 1 ? 5 : 4;
        cases.push_back(gather("same", bits(dtype, {3, 5, 4}), tensor(index, {3, 5, 4}).within(-extent, extent - 1), axis));
      }
      cases.push_back(gather("fewer", bits(dtype, {3, 5, 4}), tensor(index, {2, 9, 3}).within(-5, 4), 1));
      cases.push_back(gather("none", bits(dtype, {3, 5}), tensor(index, {0, 5}).within(0, 2), 0));
      cases.push_back(gather("rank 6", bits(dtype, {2, 3, 2, 3, 2, 3}), tensor(index, {2, 2, 2, 5, 2, 2}).within(-3, 2), 3));
      for (int64_t size : kSizes) cases.push_back(gather("size", bits(dtype, {7}), tensor(index, {size}).within(-7, 6), 0));
    }
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
    cases.push_back(gather("layout", bits(DBK_F32, {3, 5}).in(layout), tensor(DBK_I64, {3, 5}).within(-5, 4).in(layout), 1));
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(gather("dtype", bits(dtype, {5, 7}), tensor(DBK_I64, {5, 3}).within(-7, 6), 1));
  cases.push_back(gather("weight", bits(DBK_F32, {9, 4}).as(Origin::Param), tensor(DBK_I64, {2, 4}).within(0, 8), 0));
  cases.push_back(gather("grid", bits(DBK_F16, {70001, 5}), tensor(DBK_I32, {70001, 61}).within(-5, 4), 1));
  return cases;
}

}  // namespace ops
