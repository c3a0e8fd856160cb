// GridSample: every mode and padding, with and without aligned corners, one to four spatial axes, places inside, on the border and far
// beyond. The nearest element is tested at places that are no ties.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

std::vector<dbk::Attribute> how(const char* mode, const char* padding, int64_t corners) {
  return {{"mode", std::string(mode)}, {"padding_mode", std::string(padding)}, {"align_corners", corners}};
}

// Multiples of 1/64 that lie on no tie for the extents of the tests.
std::vector<double> untied() { return {-1.453125, -0.890625, -0.328125, 0.015625, 0.421875, 0.796875, 1.171875, 2.546875}; }

void add_modes(Cases& cases, DType dtype, DType grid) {
  for (const char* mode : {"nearest", "linear", "cubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      for (int64_t corners : {0, 1}) {
        const std::string name = std::string(mode) + " " + padding + (corners ? " corners" : "");
        const auto add = [&](const Shape& x, const Shape& g) {
          const Operand places = mode[0] == 'n' ? reals(grid, g, untied()) : tensor(grid, g).within(-2, 2);
          cases.push_back({name, {tensor(dtype, x), places}, how(mode, padding, corners)});
        };
        add({2, 3, 5, 7}, {2, 4, 5, 2});
        add({1, 2, 3, 4, 5}, {1, 2, 3, 4, 3});
        add({2, 1, 9}, {2, 11, 1});
        add({1, 1, 1, 1}, {1, 2, 3, 2});
      }
}

}  // namespace

Cases grid_sample_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16}) {
    add_modes(cases, dtype, DBK_F32);
    cases.push_back({"f16 grid", {tensor(dtype, {1, 2, 5, 7}), tensor(DBK_F16, {1, 4, 5, 2}).within(-1, 1)}, how("linear", "zeros", 0)});
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back({name_of(layout), {tensor(dtype, {1, 2, 5, 7}).in(layout), tensor(DBK_F32, {1, 4, 5, 2}).within(-1, 1).in(layout)},
                       how("linear", "border", 0)});
    for (int64_t size : kSizes)
      cases.push_back({"size", {tensor(dtype, {1, 1, 3, 3}), tensor(DBK_F32, {1, 1, size, 2}).within(-1, 1)}, how("linear", "zeros", 1)});
  }
  cases.push_back(OpCase("four axes", {tensor(DBK_F32, {1, 1, 2, 3, 2, 3}), tensor(DBK_F32, {1, 1, 2, 1, 2, 4}).within(-1, 1)}).at(Place::Host));
  cases.push_back(OpCase("f64 grid", {tensor(DBK_F32, {1, 1, 3, 3}), tensor(DBK_F64, {1, 2, 2, 2}).within(-1, 1)}).at(Place::Host));
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back({"dtype", {tensor(dtype, {1, 2, 4, 4}), reals(DBK_F32, {1, 2, 2, 2}, untied())}, how("nearest", "zeros", 0)});
    for (const Shape& x : {Shape{2, 3, 5, 7}, Shape{1, 1, 9}, Shape{1, 2, 3, 4, 5}})
      for (const char* padding : {"zeros", "border", "reflection"}) {
        Shape grid = Shape::filled(x.rank(), 3);  // three places along every axis: words that elements share end with the rows or not
        grid[0] = x[0], grid[x.rank() - 1] = x.rank() - 2;
        cases.push_back({std::string("bits ") + padding, {bits(dtype, x), reals(DBK_F32, grid, untied())}, how("nearest", padding, 1)});
      }
    if (is_float(dtype))
      cases.push_back(OpCase("dtype", {tensor(dtype, {1, 2, 4, 4}), tensor(DBK_F32, {1, 2, 2, 2}).within(-1, 1)})
                          .at(dtype == DBK_F64 ? Place::Host : Place::ByRow));
  }
  cases.push_back(OpCase("version 16", {tensor(DBK_F32, {1, 2, 5, 7}), tensor(DBK_F32, {1, 4, 5, 2}).within(-1, 1)},
                         {{"mode", std::string("bicubic")}}).with_opset(16));
  return cases;
}

}  // namespace ops
