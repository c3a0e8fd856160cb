// Resize and Upsample: every mode with every way to map coordinates, sizes and scales, up and down, one axis to five, windows that
// antialiasing makes wide, regions that reach beyond the input, axes, aspect ratios, axes longer than one table, every type.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Attributes = std::vector<dbk::Attribute>;
using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

constexpr const char* kCoordinates[] = {"half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel",
                                        "align_corners", "asymmetric",           "tf_crop_and_resize"};

Operand scales(Reals values) {
  const Shape shape{static_cast<int64_t>(values.size())};
  return reals(DBK_F32, shape, std::move(values)).as(Origin::Const);
}

// All of the input, but more before and less behind along the last axis.
Operand region(size_t axes) {
  Reals values(axes, 0.0);
  values.resize(2 * axes, 1.0);
  values[axes - 1] = -0.25, values[2 * axes - 1] = 0.875;
  return reals(DBK_F32, {static_cast<int64_t>(2 * axes)}, values).as(Origin::Const);
}

Attributes how(const char* mode, const char* coordinates, Attributes more = {}) {
  more.push_back({"mode", std::string(mode)});
  more.push_back({"coordinate_transformation_mode", std::string(coordinates)});
  return more;
}

OpCase by_scales(const char* name, const Operand& x, Reals factors, Attributes attrs) {
  const Operand roi = region(factors.size());
  return OpCase(name, {x, roi, scales(std::move(factors))}, std::move(attrs)).with_opset(19);
}

OpCase by_sizes(const char* name, const Operand& x, const Ints& sizes, Attributes attrs) {
  return OpCase(name, {x, region(sizes.size()), absent, integers(sizes)}, std::move(attrs)).with_opset(19);
}

std::string titled(const char* mode, const char* coordinates) { return std::string(mode) + " " + coordinates; }

void add_mappings(Cases& cases, DType dtype) {
  for (const char* mode : {"nearest", "linear", "cubic"})
    for (const char* coordinates : kCoordinates) {
      const std::string name = titled(mode, coordinates);
      const Attributes attrs = how(mode, coordinates, {{"extrapolation_value", 2.5}});
      cases.push_back(by_scales((name + " up").c_str(), tensor(dtype, {1, 2, 5, 7}), {1, 1, 2, 3}, attrs));
      cases.push_back(by_scales((name + " down").c_str(), tensor(dtype, {1, 1, 9, 10}), {1, 1, 0.6, 0.7}, attrs));
      cases.push_back(by_sizes((name + " sizes").c_str(), tensor(dtype, {2, 3, 6, 5}), {2, 3, 4, 11}, attrs));
      cases.push_back(by_sizes((name + " single").c_str(), tensor(dtype, {1, 1, 4, 1}), {1, 1, 1, 5}, attrs));
      cases.push_back(by_sizes((name + " three").c_str(), tensor(dtype, {1, 2, 3, 4, 3}), {1, 2, 5, 2, 4}, attrs));
    }
  for (const char* rounding : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})
    for (const char* coordinates : kCoordinates)
      cases.push_back(by_scales(titled(rounding, coordinates).c_str(), tensor(dtype, {1, 1, 8, 8}), {1, 1, 2, 0.75},
                                how("nearest", coordinates, {{"nearest_mode", std::string(rounding)}})));
}

void add_windows(Cases& cases, DType dtype) {
  for (const char* mode : {"linear", "cubic"}) {
    for (int64_t antialias : {0, 1})
      for (int64_t exclude : {0, 1}) {
        const Attributes attrs = how(mode, "half_pixel", {{"antialias", antialias}, {"exclude_outside", exclude}});
        cases.push_back(by_scales("window", tensor(dtype, {1, 1, 17, 13}), {1, 1, 0.3, 0.55}, attrs));
        cases.push_back(by_sizes("window up", tensor(dtype, {1, 1, 4, 5}), {1, 1, 9, 8}, attrs));
        cases.push_back(by_sizes("wide window", tensor(dtype, {1, 1, 3, 300}), {1, 1, 3, 2}, attrs));
      }
    cases.push_back(by_scales("coefficient", tensor(dtype, {1, 1, 6, 6}), {1, 1, 1.5, 1.5}, how(mode, "half_pixel", {{"cubic_coeff_a", -0.5}})));
  }
}

void add_axes(Cases& cases, DType dtype) {
  for (const char* policy : {"stretch", "not_larger", "not_smaller"}) {
    const Attributes attrs = how("linear", "half_pixel", {{"axes", Ints{-1, 1}}, {"keep_aspect_ratio_policy", std::string(policy)}});
    cases.push_back(by_sizes(policy, tensor(dtype, {2, 3, 2, 5}), {9, 7}, attrs));
  }
  cases.push_back(by_scales("axes", tensor(dtype, {2, 3, 4, 5}), {2, 0.5}, how("nearest", "tf_crop_and_resize", {{"axes", Ints{3, 2}}})));
  cases.push_back(by_sizes("batches too", tensor(dtype, {2, 3, 4, 5}), {3, 5, 6, 7}, how("linear", "half_pixel")));
  cases.push_back(by_sizes("nothing changes", tensor(dtype, {2, 3, 4}), {2, 3, 4}, how("linear", "half_pixel")));
  cases.push_back(by_sizes("to nothing", tensor(dtype, {2, 3, 4}), {2, 0, 4}, how("linear", "half_pixel")));
  cases.push_back(by_sizes("of nothing", tensor(dtype, {0, 3, 4}), {0, 5, 4}, how("linear", "half_pixel")));
  for (const char* mode : {"nearest", "linear"}) {
    for (int64_t size : kSizes)
      if (size > 0) cases.push_back(by_sizes("size", tensor(dtype, {3, size}), {2, size + 3}, how(mode, "half_pixel")));
    cases.push_back(by_sizes("long", tensor(dtype, {2, 500}), {2, 9001}, how(mode, "half_pixel")));
    cases.push_back(by_sizes("long, outermost", tensor(dtype, {700, 5}), {5003, 5}, how(mode, "asymmetric")));
    cases.push_back(by_sizes("vectors", tensor(dtype, {3, 5, 8}), {7, 3, 8}, how(mode, "half_pixel")));
    cases.push_back(by_sizes("vectors and fours", tensor(dtype, {3, 5, 6}), {3, 9, 16}, how(mode, "half_pixel")));
    cases.push_back(by_sizes("long fours", tensor(dtype, {2, 500}), {2, 9004}, how(mode, "half_pixel")));
    cases.push_back(by_scales("vectors beyond", tensor(dtype, {4, 5, 8}), {2}, how(mode, "tf_crop_and_resize", {{"axes", Ints{0}}, {"extrapolation_value", 2.5}})));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(by_sizes(name_of(layout), tensor(dtype, {3, 5, 7}).in(layout), {3, 8, 9}, how(mode, "half_pixel")));
  }
}

void add_specials(Cases& cases, DType dtype) {
  const Operand x = reals(dtype, {1, 1, 9}, special_reals());
  for (const char* mode : {"nearest", "linear"}) cases.push_back(by_scales("specials", x, {1, 1, 2}, how(mode, "asymmetric")));
}

constexpr dbk::DTypeSet kSmallIntegers = dbk::I8 | dbk::U8 | dbk::I16 | dbk::U16;

// Weights whose sums are exact in f32, so that rounding them leaves one answer, ties included.
void add_rounded(Cases& cases, DType dtype) {
  for (const char* mode : {"linear", "cubic"}) {
    const auto numbers = [&](const Shape& shape) { return mode[0] == 'l' ? bits(dtype, shape) : tensor(dtype, shape).within(0, 120); };
    const Attributes attrs = how(mode, "half_pixel");
    const std::string name = mode;
    cases.push_back(by_scales((name + " up").c_str(), numbers({2, 3, 5}), {1, 2, 2}, attrs));
    cases.push_back(by_scales((name + " one axis").c_str(), numbers({3, 7}), {1, 4}, attrs));
    cases.push_back(by_scales((name + " down").c_str(), numbers({3, 6, 8}), {1, 0.5, 0.5}, attrs));
    cases.push_back(by_scales((name + " long").c_str(), numbers({3, 1500}), {1, 2}, attrs));
    cases.push_back(by_sizes("nothing changes", numbers({3, 5}), {3, 5}, attrs));
  }
  cases.push_back(by_sizes("linear beyond", bits(dtype, {1, 3, 5}), {1, 5, 9}, how("linear", "tf_crop_and_resize", {{"extrapolation_value", -2.5}})));
}

void add_upsample(Cases& cases, const dbk::OpRow& row) {
  for (const char* mode : {"nearest", "linear"}) {
    const dbk::Attribute attr{"mode", std::string(mode)};
    for (DType dtype : {DBK_F32, DBK_F16}) {
      cases.push_back(OpCase("upsample", {tensor(dtype, {1, 2, 3, 4}), scales({1, 1, 2, 3})}, {attr}).with_opset(9));
      cases.push_back(OpCase("attribute", {tensor(dtype, {1, 2, 3, 4})}, {attr, {"scales", Reals{1, 1, 2.5, 2}}}).with_opset(7));
    }
  }
  for (DType dtype : dtypes_of(row, 0, 9)) cases.push_back(OpCase("dtype", {tensor(dtype, {1, 1, 3, 4}), scales({1, 1, 2, 3})}).with_opset(9));
}

}  // namespace

Cases resize_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id == "upsample") {
    add_upsample(cases, row);
    return cases;
  }
  for (DType dtype : {DBK_F32, DBK_F16}) {
    add_mappings(cases, dtype);
    add_windows(cases, dtype);
    add_axes(cases, dtype);
    add_specials(cases, dtype);
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(by_sizes("nearest", tensor(dtype, {2, 3, 4}), {2, 5, 7}, how("nearest", "half_pixel")));
    cases.push_back(by_sizes("nearest, one axis", tensor(dtype, {3, 5}), {3, 7}, how("nearest", "asymmetric")));
    cases.push_back(by_sizes("nearest, none", tensor(dtype, {3, 5}), {3, 5}, how("nearest", "asymmetric")));
    cases.push_back(by_sizes("nearest, long", tensor(dtype, {3, 500}), {3, 9001}, how("nearest", "asymmetric")));
    cases.push_back(by_scales("nearest, beyond", tensor(dtype, {1, 5, 7}), {1, 2, 3}, how("nearest", "tf_crop_and_resize", {{"extrapolation_value", 2.0}})));
    if (dbk::contains(kSmallIntegers, dtype)) {
      add_rounded(cases, dtype);
    } else if (dbk::contains(dbk::NUMBERS, dtype)) {
      cases.push_back(by_sizes("linear", tensor(dtype, {2, 3, 4}), {2, 5, 7}, how("linear", "half_pixel"))
                          .at(dbk::contains(dbk::F32 | dbk::F16 | dbk::BF16, dtype) ? Place::ByRow : Place::Host));
    }
  }
  cases.push_back(OpCase("version 10", {tensor(DBK_F32, {1, 1, 4, 4}), scales({1, 1, 0.6, 1.5})}).with_opset(10));
  cases.push_back(OpCase("version 11", {tensor(DBK_F32, {1, 4}), reals(DBK_F32, {0}, {}).as(Origin::Const), scales({1, 2.5})},
                         how("linear", "tf_half_pixel_for_nn")).with_opset(11));
  cases.push_back(by_sizes("grid", tensor(DBK_F16, {3, 1000, 700}), {3, 1999, 701}, how("linear", "half_pixel")));
  return cases;
}

}  // namespace ops
