// Trilu: both triangles, diagonals within the matrix and far outside, every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase triangle(const char* name, const Operand& x, int64_t k, int64_t upper) {
  return OpCase(std::string(name) + (upper ? " upper" : " lower"), {x, list(DBK_I64, {}, {k}).as(Origin::Const)}, {{"upper", upper}});
}

}  // namespace

Cases trilu_cases(const dbk::OpRow& row) {
  Cases cases;
  for (int64_t upper : {0, 1}) {
    for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
      for (const Shape& shape : {Shape{4, 4}, Shape{3, 7}, Shape{7, 3}, Shape{2, 3, 5, 5}, Shape{0, 3}, Shape{1, 65}})
        for (int64_t k : {-1, 0, 2}) cases.push_back(triangle("shape", bits(dtype, shape), k, upper));
      for (int64_t k : {-100, -7, -6, 6, 7, 100}) cases.push_back(triangle("far", bits(dtype, {7, 7}), k, upper));
      for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
        cases.push_back(triangle("layout", bits(dtype, {3, 5, 7}).in(layout), 1, upper));
    }
    for (int64_t k : {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()})
      cases.push_back(triangle("limits", bits(DBK_F32, {5, 7}), k, upper));
    for (DType dtype : dtypes_of(row, 0)) cases.push_back(triangle("dtype", bits(dtype, {5, 7}), 0, upper));
    cases.emplace_back("no k", std::vector{bits(DBK_F32, {5, 7})}, std::vector<dbk::Attribute>{{"upper", upper}});
    cases.push_back(triangle("grid", bits(DBK_F16, {70001, 61}), 3, upper));
  }
  return cases;
}

}  // namespace ops
