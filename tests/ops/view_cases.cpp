// Reshape and Identity as whole graphs: their output is a copy of an input, of every type, and the node itself costs
// nothing.
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

}  // namespace

Cases view_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id == "reshape")
    add_reshapes(cases, row);
  else
    add_identities(cases, row);
  return cases;
}

}  // namespace ops
