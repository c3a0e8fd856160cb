// Reshape, Squeeze, Unsqueeze, Flatten and Identity as whole graphs: their output is a copy of an input, of every type, and
// the node itself costs nothing.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

void add_identities(Cases& cases, const dbk::OpRow& row) {
  for (DType dtype : dtypes_of(row, 0)) {
    for (int64_t size : kSizes) cases.emplace_back("size", std::vector{bits(dtype, {size})});
    for (const Shape& shape : ranked_shapes()) cases.emplace_back("rank", std::vector{bits(dtype, shape)});
  }
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
    cases.emplace_back("layout", std::vector{bits(DBK_F32, {3, 5, 7}).in(layout)});
  cases.emplace_back("weight", std::vector{bits(DBK_I64, {3, 5}).as(Origin::Param)});
  cases.emplace_back("constant", std::vector{bits(DBK_F16, {7}).as(Origin::Const)});
}

OpCase reshape(const char* name, const Operand& x, const Ints& shape, std::vector<dbk::Attribute> attrs = {}) {
  return {name, {x, integers(shape)}, std::move(attrs)};
}

void add_reshapes(Cases& cases, const dbk::OpRow& row) {
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(reshape("split", bits(dtype, {6, 35}), {2, 3, 5, 7}));
    cases.push_back(reshape("join", bits(dtype, {2, 3, 5, 7}), {210}));
    cases.push_back(reshape("free axis", bits(dtype, {4, 9}), {3, -1, 2}));
  }
  const Operand x = bits(DBK_F32, {2, 3, 5});
  cases.push_back(reshape("copied axes", x, {0, 0, -1}));
  cases.push_back(reshape("to rank 0", bits(DBK_F32, {1, 1}), {}));
  cases.push_back(reshape("from rank 0", bits(DBK_F32, {}), {1, 1, 1}));
  cases.push_back(reshape("empty", bits(DBK_F32, {0, 3}), {3, 0}, {{"allowzero", 1}}));
  cases.push_back(reshape("empty", bits(DBK_F32, {0, 3}), {0, 7, 0}, {{"allowzero", 1}}));
  cases.push_back(reshape("rank 6", bits(DBK_F32, {4, 9}), {2, 2, 1, 3, 3, 1}));
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
    cases.push_back(reshape("layout", bits(DBK_F16, {3, 5, 7}).in(layout), {15, 7}));
  cases.push_back(reshape("weight", x.as(Origin::Param), {6, 5}));
  cases.push_back(reshape("constant", x.as(Origin::Const), {30}));
}

void add_axes(Cases& cases, const dbk::OpRow& row) {
  const bool squeezes = row.id == "squeeze";
  const Shape given = squeezes ? Shape{2, 1, 3, 1, 5} : Shape{2, 3, 5};
  for (DType dtype : dtypes_of(row, 0)) cases.emplace_back("dtype", std::vector{bits(dtype, given), integers({1, 3})});
  const Operand x = bits(DBK_F32, given);
  for (const Ints& axes : {Ints{1}, Ints{-2}, Ints{3, 1}, Ints{}}) {
    cases.emplace_back("axes", std::vector{x, integers(axes)});
    if (!axes.empty()) cases.push_back(OpCase("attribute", {x}, {{"axes", axes}}).with_opset(11));
  }
  cases.emplace_back("scalar", std::vector{bits(DBK_F32, squeezes ? Shape{1} : Shape{}), integers({0})});
  cases.emplace_back("empty", std::vector{bits(DBK_F32, {0, 1, 3}), integers({1})});
  if (squeezes) cases.emplace_back("all", std::vector{x});
  if (squeezes) cases.push_back(OpCase("all", {x}).with_opset(11));
}

void add_flattened(Cases& cases, const dbk::OpRow& row) {
  for (DType dtype : dtypes_of(row, 0)) cases.emplace_back("dtype", std::vector{bits(dtype, {2, 3, 5})});
  for (int64_t axis : {-3, -2, -1, 0, 1, 2, 3})
    cases.emplace_back("axis " + std::to_string(axis), std::vector{bits(DBK_F32, {2, 3, 5})},
                       std::vector<dbk::Attribute>{{"axis", axis}});
  cases.emplace_back("scalar", std::vector{bits(DBK_F32, {})}, std::vector<dbk::Attribute>{{"axis", 0}});
  cases.emplace_back("empty", std::vector{bits(DBK_F32, {3, 0, 2})});
}

}  // namespace

Cases view_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id == "reshape")
    add_reshapes(cases, row);
  else if (row.id == "squeeze" || row.id == "unsqueeze")
    add_axes(cases, row);
  else if (row.id == "flatten")
    add_flattened(cases, row);
  else
    add_identities(cases, row);
  return cases;
}

}  // namespace ops
