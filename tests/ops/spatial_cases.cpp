// Spatial ops that run on the host: AffineGrid, MaxRoiPool, MaxUnpool, Col2Im, DeformConv, Det.
#include <numeric>

#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

void add_max_roi_pool(Cases& cases, DType dtype) {
  const Operand rois = reals(dtype, {4, 5}, {1, 0, 0, 7, 5, 0, -3, 2, 4, 20, 1, 3, 3, 3, 3, 0, 12, 12, 14, 13});
  for (double scale : {1.0, 0.5})
    cases.push_back({"regions", {tensor(dtype, {2, 3, 7, 9}), rois}, {{"pooled_shape", Ints{2, 3}}, {"spatial_scale", scale}}});
  cases.push_back({"no regions", {tensor(dtype, {2, 3, 7, 9}), reals(dtype, {0, 5}, {})}, {{"pooled_shape", Ints{2, 3}}}});
}

void add_max_unpool(Cases& cases, DType dtype) {
  const Operand indices = list(DBK_I64, {1, 1, 2, 2}, {5, 7, 13, 15});
  const std::vector<dbk::Attribute> attrs{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};
  cases.push_back({"plain", {tensor(dtype, {1, 1, 2, 2}), indices}, attrs});
  cases.push_back({"output shape", {tensor(dtype, {1, 1, 2, 2}), indices, integers({1, 1, 5, 6})}, attrs});
  cases.push_back({"pads", {tensor(dtype, {2, 1, 3}), list(DBK_I64, {2, 1, 3}, {0, 1, 4, 5, 7, 9})},
                   {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}}});
}

void add_col2im(Cases& cases, DType dtype) {
  const auto add = [&](const Shape& x, const Ints& image, const Ints& block, std::vector<dbk::Attribute> attrs = {}) {
    cases.push_back({"", {tensor(dtype, x), integers(image), integers(block)}, std::move(attrs)});
  };
  add({1, 5, 5}, {5, 5}, {1, 5});
  add({2, 12, 6}, {3, 4}, {2, 2});
  add({1, 9, 9}, {5, 5}, {3, 3});
  add({1, 9, 4}, {5, 5}, {3, 3}, {{"strides", Ints{2, 2}}});
  add({1, 9, 25}, {5, 5}, {3, 3}, {{"pads", Ints{1, 1, 1, 1}}});
  add({1, 4, 15}, {6, 6}, {2, 2}, {{"dilations", Ints{1, 3}}});
  add({1, 8, 8}, {3, 3, 3}, {2, 2, 2});
  add({3, 3, 7}, {9}, {3});
}

void add_deform_conv(Cases& cases, DType dtype) {
  const auto add = [&](const Shape& x, const Shape& w, const Shape& result, std::vector<dbk::Attribute> attrs, bool bias, bool mask, int64_t groups = 1) {
    const int64_t taps = w[2] * w[3] * groups;
    const Operand offset = tensor(dtype, {result[0], 2 * taps, result[2], result[3]}).within(-1.5, 1.5);
    std::vector<Operand> in{tensor(dtype, x), tensor(dtype, w), offset};
    if (bias || mask) in.push_back(bias ? tensor(dtype, {w[0]}) : absent);
    if (mask) in.push_back(tensor(dtype, {result[0], taps, result[2], result[3]}).within(0, 1));
    cases.push_back({"", in, std::move(attrs)});
  };
  for (bool bias : {false, true})
    for (bool mask : {false, true}) add({1, 2, 5, 6}, {3, 2, 3, 3}, {1, 3, 3, 4}, {}, bias, mask);
  add({2, 4, 6, 7}, {6, 2, 3, 2}, {2, 6, 3, 3},
      {{"group", int64_t{2}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 0, 0, 1}}, {"dilations", Ints{1, 2}}, {"offset_group", int64_t{2}}}, true, true, 2);
  add({0, 2, 5, 6}, {3, 2, 3, 3}, {0, 3, 3, 4}, {}, true, false);
}

void add_affine_grid(Cases& cases, DType dtype) {
  for (int64_t corners : {0, 1}) {
    cases.push_back({"2-D", {tensor(dtype, {2, 2, 3}), integers({2, 3, 5, 6})}, {{"align_corners", corners}}});
    cases.push_back({"3-D", {tensor(dtype, {1, 3, 4}), integers({1, 3, 4, 5, 6})}, {{"align_corners", corners}}});
    cases.push_back({"nothing", {tensor(dtype, {0, 2, 3}), integers({0, 3, 5, 6})}, {{"align_corners", corners}}});
  }
}

void add_det(Cases& cases, DType dtype) {
  for (const Shape& shape : {Shape{1, 1}, {2, 2}, {3, 4, 4}, {2, 3, 5, 5}, {0, 3, 3}, {2, 0, 0}, {5, 17, 17}})
    cases.push_back({"", {tensor(dtype, shape)}});
  cases.push_back({"singular", {reals(dtype, {3, 3}, {1, 2, 3, 2, 4, 6, 0, 1, 5})}});
  cases.push_back({"pivots", {reals(dtype, {3, 3}, {0, 1, 0, 0, 0, 2, 3, 0, 0})}});
}

}  // namespace

Cases spatial_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0, 22)) {
    if (row.id == "affine_grid") add_affine_grid(cases, dtype);
    if (row.id == "max_roi_pool") add_max_roi_pool(cases, dtype);
    if (row.id == "max_unpool") add_max_unpool(cases, dtype);
    if (row.id == "col2im") add_col2im(cases, dtype);
    if (row.id == "deform_conv") add_deform_conv(cases, dtype);
    if (row.id == "det") add_det(cases, dtype);
  }
  for (OpCase& test : cases) test.opset = 22;
  return cases;
}

}  // namespace ops
