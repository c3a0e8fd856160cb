// Rotary: sizes of heads and numbers of positions, both ways to pair, tables that broadcast each in its own way.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase rotary(const char* name, DType dtype, bool interleaved, const Shape& x, const Shape& cos, const Shape& sin) {
  return {name, {tensor(dtype, x), tensor(dtype, cos), tensor(dtype, sin)}, {{"interleaved", int64_t{interleaved}}}};
}

void add_shapes(Cases& cases, DType dtype, bool interleaved) {
  for (int64_t size : {2, 4, 6, 62, 64, 66, 128, 514, 1026})
    cases.push_back(rotary("size", dtype, interleaved, {2, 3, 5, size}, {5, size}, {5, size}));
  for (int64_t positions : {1, 2, 31, 127, 1021})
    cases.push_back(rotary("positions", dtype, interleaved, {2, 3, positions, 8}, {1, 1, positions, 8}, {1, 1, positions, 8}));
  cases.push_back(rotary("whole", dtype, interleaved, {3, 7, 10}, {3, 7, 10}, {3, 7, 10}));
  cases.push_back(rotary("one row", dtype, interleaved, {6}, {6}, {6}));
  cases.push_back(rotary("one number", dtype, interleaved, {5, 6}, {}, {1}));
  cases.push_back(rotary("broadcast", dtype, interleaved, {2, 3, 5, 6}, {2, 1, 5, 6}, {3, 1, 6}));
  cases.push_back(rotary("broadcast", dtype, interleaved, {2, 3, 5, 6}, {5, 1}, {2, 1, 1, 1}));
  cases.push_back(rotary("broadcast", dtype, interleaved, {2, 3, 2, 3, 2, 4}, {2, 1, 2, 1, 2, 4}, {3, 1, 3, 1, 4}));
  for (const Shape& x : {Shape{0, 3, 4}, Shape{2, 0, 4}, Shape{2, 3, 0}}) cases.push_back(rotary("empty", dtype, interleaved, x, {1}, {}));
}

}  // namespace

Cases rotary_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row, 0))
    for (const bool interleaved : {false, true}) add_shapes(cases, dtype, interleaved);
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(rotary("dtype", dtype, false, {2, 3, 5, 8}, {5, 8}, {5, 8}));
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
    cases.emplace_back("layout", std::vector{tensor(DBK_F32, {3, 5, 6}).in(layout), tensor(DBK_F32, {5, 6}).in(layout), tensor(DBK_F32, {5, 6})},
                       std::vector<dbk::Attribute>{{"interleaved", int64_t{0}}});
  cases.emplace_back("weights", std::vector{tensor(DBK_F32, {3, 5, 6}), tensor(DBK_F32, {5, 6}).as(Origin::Param), tensor(DBK_F32, {5, 6}).as(Origin::Const)},
                     std::vector<dbk::Attribute>{{"interleaved", int64_t{1}}});
  cases.push_back(rotary("grid", DBK_F32, false, {70001, 62}, {62}, {62}));
  return cases;
}

}  // namespace ops
