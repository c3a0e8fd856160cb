// Transpose: every order of three axes, orders of up to seven with runs that merge and runs that do not, every type bit
// for bit.
#include <algorithm>

#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Order = std::vector<int64_t>;

OpCase transpose(const char* name, const Operand& x, const Order& perm) {
  std::string text = name;
  for (int64_t axis : perm) text += " " + std::to_string(axis);
  return {text, {x}, {{"perm", perm}}};
}

void add_orders(Cases& cases, DType dtype) {
  Order order{0, 1, 2};
  do cases.push_back(transpose("order", bits(dtype, {3, 5, 7}), order));
  while (std::ranges::next_permutation(order).found);
  for (const Order& perm : {Order{0, 2, 1, 3}, Order{0, 3, 1, 2}, Order{3, 2, 1, 0}, Order{2, 3, 0, 1}})
    cases.push_back(transpose("order", bits(dtype, {2, 17, 3, 8}), perm));
  cases.push_back(transpose("order", bits(dtype, {2, 3, 1, 2, 3}), {4, 0, 3, 1, 2}));
  cases.push_back(transpose("order", bits(dtype, {2, 3, 2, 2, 3, 2}), {5, 3, 1, 4, 2, 0}));
  cases.push_back(transpose("order", bits(dtype, {2, 3, 2, 2, 1, 3, 2}), {6, 4, 2, 0, 5, 3, 1}));
}

void add_shapes(Cases& cases, DType dtype) {
  for (const Shape& shape : ranked_shapes()) cases.push_back(OpCase("reversed", {bits(dtype, shape)}));
  for (int64_t size : kSizes) cases.push_back(transpose("size", bits(dtype, {size, 3}), {1, 0}));
  cases.push_back(transpose("square", bits(dtype, {65, 65}), {1, 0}));
  cases.push_back(transpose("wide", bits(dtype, {3, 1021}), {1, 0}));
}

}  // namespace

Cases transpose_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_orders(cases, dtype);
    add_shapes(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(transpose("layout", bits(dtype, {3, 5, 7}).in(layout), {2, 0, 1}));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(transpose("dtype", bits(dtype, {5, 7}), {1, 0}));
    if (!is_float(dtype)) continue;
    const std::vector<double> values = special_reals();
    cases.push_back(transpose("specials", reals(dtype, {3, 11}, values), {1, 0}));
  }
  for (DType dtype : {DBK_U4, DBK_I4, DBK_F4_E2M1FN, DBK_U2, DBK_I2}) {
    Cases small;
    add_orders(small, dtype);
    add_shapes(small, dtype);
    small.push_back(transpose("whole vectors", bits(dtype, {3, 2, 128}), {1, 0, 2}));
    for (const OpCase& test : small) cases.push_back(test.with_opset(25));
  }
  // Nine axes that do not merge: one more than kernels walk.
  const Shape nine{2, 2, 2, 2, 2, 2, 2, 2, 2};
  cases.push_back(transpose("rank 9", bits(DBK_F32, nine), {8, 7, 6, 5, 4, 3, 2, 1, 0}).at(Place::Host));
  cases.push_back(transpose("rank 9 that merges", bits(DBK_F32, nine), {4, 5, 6, 7, 8, 0, 1, 2, 3}));
  cases.push_back(transpose("weight", bits(DBK_F32, {3, 5}).as(Origin::Param), {1, 0}));
  cases.push_back(transpose("grid", bits(DBK_F16, {61, 70001}), {1, 0}));
  cases.push_back(transpose("grid", bits(DBK_I32, {7, 70001, 9}), {1, 2, 0}));
  return cases;
}

}  // namespace ops
