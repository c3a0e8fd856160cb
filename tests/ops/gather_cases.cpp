// Gather: every axis, indices of rank 0 to 3 in both types, negative ones, none at all, and every type bit for bit.
// Indices out of range are tested with whole graphs (tests/graphs).
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase gather(const char* name, const Operand& data, const Operand& indices, int64_t axis = 0) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis), {data, indices}, {{"axis", axis}});
}

void add_axes(Cases& cases, DType dtype, DType index) {
  for (int64_t axis : {0, 1, 2, -1, -3})
    cases.push_back(gather("axes", bits(dtype, {3, 5, 4}), list(index, {4}, {2, 0, -1, 1}), axis));
  for (const Shape& shape : {Shape{}, {1}, {2, 3}, {2, 1, 3}, {0}, {2, 0}})
    for (int64_t axis : {0, 1})
      cases.push_back(gather("indices", bits(dtype, {3, 5}), list(index, shape, {0, -3, 2, 1}), axis));
  cases.push_back(gather("vector", bits(dtype, {7}), list(index, {5}, {6, -7, 3, 3, 0})));
  cases.push_back(gather("rank 5", bits(dtype, {2, 3, 2, 5, 2}), list(index, {2, 2}, {4, 0, -5, 2}), 3));
}

void add_shapes(Cases& cases, DType dtype) {
  for (int64_t size : kSizes) {
    cases.push_back(gather("indices", bits(dtype, {11, 3}), tensor(DBK_I64, {size}).within(-11, 10)));
    if (size > 0)
      cases.push_back(gather("rows", bits(dtype, {size, 5}),
                             tensor(DBK_I32, {9}).within(-static_cast<double>(size), static_cast<double>(size) - 1)));
    cases.push_back(gather("width", bits(dtype, {5, size}), list(DBK_I64, {3}, {4, -5, 2})));
  }
  cases.push_back(gather("empty data", bits(dtype, {3, 0}), list(DBK_I64, {2}, {0, 2})));
  cases.push_back(gather("empty axis", bits(dtype, {0, 3}), list(DBK_I64, {0}, {0})));
}

}  // namespace

Cases gather_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    for (DType index : {DBK_I32, DBK_I64}) add_axes(cases, dtype, index);
    add_shapes(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back(
          gather("layout", bits(dtype, {3, 5, 7}).in(layout), list(DBK_I64, {2, 2}, {4, 0, -5, 2}).in(layout), 1));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(gather("dtype", bits(dtype, {5, 7}), list(DBK_I64, {3}, {4, 0, -2})));
    if (!is_float(dtype)) continue;
    const std::vector<double> values = special_reals();
    const auto count = static_cast<int64_t>(values.size());
    cases.push_back(gather("specials", reals(dtype, {count}, values),
                           tensor(DBK_I64, {65}).within(0, static_cast<double>(count - 1))));
  }
  cases.push_back(
      gather("embedding", bits(DBK_F32, {1000, 64}).as(Origin::Param), tensor(DBK_I64, {2, 17}).within(0, 999)));
  cases.push_back(gather("fixed indices", bits(DBK_F32, {9, 4}), list(DBK_I64, {3}, {8, -9, 1}).as(Origin::Const)));
  cases.push_back(gather("grid", bits(DBK_F16, {257, 61}), tensor(DBK_I32, {70001}).within(-257, 256)));
  cases.push_back(gather("grid", bits(DBK_F32, {3, 5}), tensor(DBK_I64, {kOverGrid / 3 + 1}).within(-5, 4), 1));
  return cases;
}

}  // namespace ops
