// Expand: every place of a broadcast, also of a shape that is shorter or smaller than the input's. Tile: every axis, none and
// many times. Every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

OpCase expand(const char* name, const Operand& x, const Ints& shape) { return {name, {x, integers(shape)}}; }

void add_shapes(Cases& cases, DType dtype) {
  cases.push_back(expand("scalar", bits(dtype, {}), {}));
  cases.push_back(expand("scalar", bits(dtype, {}), {3, 5}));
  cases.push_back(expand("column", bits(dtype, {3, 1}), {3, 7}));
  cases.push_back(expand("row", bits(dtype, {8}), {5, 8}));
  cases.push_back(expand("both", bits(dtype, {3, 1}), {2, 1, 6}));
  cases.push_back(expand("shorter", bits(dtype, {2, 3, 1}), {4}));
  cases.push_back(expand("same", bits(dtype, {2, 3}), {1, 1}));
  cases.push_back(expand("same", bits(dtype, {2, 3}), {2, 3}));
  cases.push_back(expand("mask", bits(dtype, {2, 1, 1, 16}), {2, 4, 16, 16}));
  cases.push_back(expand("empty", bits(dtype, {1, 3}), {0, 3}));
  cases.push_back(expand("empty", bits(dtype, {0, 1}), {0, 3}));
  cases.push_back(expand("rank 6", bits(dtype, {2, 1, 3, 1, 2, 1}), {2, 3, 3, 2, 2, 2}));
  for (int64_t size : kSizes) {
    cases.push_back(expand("rows", bits(dtype, {size}), {3, size}));
    cases.push_back(expand("columns", bits(dtype, {size, 1}), {size, 5}));
  }
}

Cases tile_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    for (const Ints& repeats : {Ints{1, 1, 1}, Ints{2, 1, 1}, Ints{1, 3, 1}, Ints{1, 1, 2}, Ints{2, 3, 4}, Ints{1, 0, 2}})
      cases.push_back(expand("tiles", bits(dtype, {2, 3, 8}), repeats));
    cases.push_back(expand("scalar", bits(dtype, {}), {}));
    cases.push_back(expand("empty", bits(dtype, {0, 3}), {2, 2}));
    cases.push_back(expand("rank 4", bits(dtype, {1, 2, 1, 3}), {2, 1, 5, 2}));
    for (int64_t size : kSizes) cases.push_back(expand("size", bits(dtype, {size}), {3}));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(expand("layout", bits(dtype, {3, 5, 7}).in(layout), {1, 2, 2}));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(expand("dtype", bits(dtype, {3, 2}), {2, 3}));
  cases.push_back(expand("weight", bits(DBK_F32, {5, 1}).as(Origin::Param), {1, 4}));
  cases.push_back(expand("grid", bits(DBK_F16, {70001, 1}), {1, 61}));
  return cases;
}

}  // namespace

Cases repeat_cases(const dbk::OpRow& row) {
  if (row.id == "tile") return tile_cases(row);
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_shapes(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(expand("layout", bits(dtype, {3, 1, 7}).in(layout), {3, 5, 7}));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(expand("dtype", bits(dtype, {3, 1, 2}), {2, 1, 4, 1}));
  cases.push_back(expand("weight", bits(DBK_F32, {5, 1}).as(Origin::Param), {5, 4}));
  cases.push_back(expand("grid", bits(DBK_F16, {70001, 1}), {70001, 61}));
  return cases;
}

}  // namespace ops
