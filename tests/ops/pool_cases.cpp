// Pooling: windows of one to three axes, strides, dilations, every kind of padding, windows that hang over the end
// (ceil_mode), counted padding, indices of both orders, whole channels, all powers. Four axes and other types are the
// host's.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using List = std::vector<int64_t>;

struct Geometry {
  Shape x;
  List kernel, strides{}, dilations{}, pads{};
  int64_t ceil = 0;
};

OpCase pool(const char* name, DType dtype, const Geometry& g,
            std::vector<dbk::Attribute> attributes = {}) {
  attributes.push_back({"kernel_shape", g.kernel});
  if (!g.strides.empty()) attributes.push_back({"strides", g.strides});
  if (!g.dilations.empty()) attributes.push_back({"dilations", g.dilations});
  if (!g.pads.empty()) attributes.push_back({"pads", g.pads});
  if (g.ceil != 0) attributes.push_back({"ceil_mode", g.ceil});
  return {name, {tensor(dtype, g.x)}, attributes};
}

const std::vector<Geometry>& geometries() {
  static const std::vector<Geometry> list{{{1, 1, 1}, {1}},
                                          {{2, 3, 17}, {3}},
                                          {{2, 3, 17}, {4}, {3}, {2}, {2, 1}},
                                          {{2, 3, 130}, {5}, {1}, {}, {4, 4}},
                                          {{2, 3, 9, 11}, {3, 3}},
                                          {{1, 3, 9, 11}, {3, 3}, {2, 2}, {}, {1, 1, 1, 1}},
                                          {{1, 3, 9, 11}, {3, 2}, {2, 3}, {}, {1, 0, 0, 1}, 1},
                                          {{1, 2, 6, 6}, {3, 3}, {2, 2}, {}, {1, 1, 1, 1}, 1},
                                          {{1, 1, 4, 4}, {1, 1}, {3, 3}, {}, {0, 0, 0, 0}, 1},
                                          {{1, 5, 9, 70}, {3, 5}, {1, 2}, {2, 1}, {0, 3, 2, 1}},
                                          {{1, 4, 5, 6, 7}, {3, 2, 3}, {1, 2, 1}, {1, 1, 2}, {1, 0, 2, 1, 1, 0}},
                                          {{1, 4, 5, 6, 7}, {2, 2, 2}, {2, 2, 2}, {}, {}, 1},
                                          {{1, 64, 7, 7}, {7, 7}},
                                          {{0, 3, 9}, {3}},
                                          {{1, 3, 2}, {3}},
                                          {{1, 3, 1, 20}, {2, 2}, {2, 2}},  // too long by less than a stride
                                          {{2, 3, 2}, {3}, {4}, {2}},
                                          {{65537, 2, 34}, {2}},
                                          // Rows of whole vectors
                                          {{1, 3, 20, 20}, {2, 2}, {1, 1}, {}, {0, 0, 1, 1}},
                                          {{2, 3, 41, 41}, {3, 3}, {2, 2}, {}, {1, 1, 0, 0}},
                                          {{2, 2, 40, 40}, {3, 3}, {2, 2}, {}, {1, 1, 1, 1}},
                                          {{2, 3, 23}, {4}, {1}, {2}, {1, 2}},
                                          {{1, 1, 16}, {1}},
                                          {{1, 2, 3, 5, 18}, {2, 3, 3}, {1, 2, 1}, {1, 1, 2}, {1, 1, 3, 1, 1, 3}},
                                          {{3, 1, 9, 33}, {5, 5}, {1, 2}, {}, {2, 2, 2, 0}}};
  return list;
}

void add_indices(Cases& cases, DType dtype) {
  for (size_t i : {1, 2, 5, 6, 9, 10, 15})
    for (int64_t order : {0, 1})
      cases.push_back(pool("indices", dtype, geometries()[i], {{"storage_order", order}}).wanting({true, true}));
  cases.push_back(pool("only indices", dtype, geometries()[4]).wanting({false, true}).at(Place::Host));
  cases.push_back(OpCase("equal", {reals(dtype, {1, 2, 4, 4}, {1.0, 2.0, 2.0})},
                         {{"kernel_shape", List{3, 3}}, {"pads", List{1, 1, 1, 1}}})
                      .wanting({true, true}));
}

void add_numbers(Cases& cases, DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const Operand x = reals(dtype, {1, 1, 15}, {1, 2, kNan, 4, 5, 6, kInf, 8, 9, 10, -kInf, -kInf, 6e4, 6e4, -3});
  cases.push_back({"specials", {x}, {{"kernel_shape", List{2}}}});
  const Operand rows = reals(dtype, {1, 2, 3, 20}, {1, 2, kNan, 4, 5, 6, kInf, 8, 9, 10, -kInf, -kInf, -kInf, 6e4, 6e4, -3, -kInf});
  cases.push_back({"specials", {rows}, {{"kernel_shape", List{1, 2}}, {"pads", List{0, 1, 0, 0}}}});
}

void add_powers(Cases& cases, DType dtype) {
  for (int64_t p : {1, 3, 4, 17}) cases.push_back(pool("power", dtype, geometries()[5], {{"p", p}}));
  for (int64_t p : {3, 60}) {
    const Operand large = tensor(dtype, {1, 2, 9, 7}).within(-6e4, 6e4), small = tensor(dtype, {1, 2, 9, 7}).within(-1e-3, 1e-3);
    for (const Operand& x : {large, small}) cases.push_back({"far from 1", {x}, {{"p", p}, {"kernel_shape", List{3, 2}}, {"pads", List{2, 1, 2, 1}}}});
  }
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  cases.push_back({"specials", {reals(dtype, {1, 1, 12}, {1, kInf, -kInf, 4, kNan, 0, 0, -0.0, 2, 2, kInf, kNan})}, {{"p", int64_t{3}}, {"kernel_shape", List{2}}}});
}

Cases global_lp_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Shape& shape : {Shape{2, 3, 5}, Shape{1, 7, 9, 11}, Shape{2, 3, 4, 5, 6}})
      for (int64_t p : {1, 2, 3}) cases.push_back({"power", {tensor(dtype, shape)}, {{"p", p}}});
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back({"dtype", {tensor(dtype, {2, 3, 5})}});
  return cases;
}

}  // namespace

Cases pool_cases(const dbk::OpRow& row) {
  if (row.id == "global_lp_pool") return global_lp_cases(row);
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Geometry& g : geometries()) cases.push_back(pool("geometry", dtype, g));
    for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
      cases.push_back(pool(mode, dtype, {{1, 2, 9, 10}, {4, 3}, {2, 3}}, {{"auto_pad", std::string(mode)}}));
      cases.push_back(pool(mode, dtype, {{2, 2, 11}, {4}, {}, {2}}, {{"auto_pad", std::string(mode)}}));
    }
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated}) {
      cases.push_back(pool("layout", dtype, geometries()[4]));
      cases.back().inputs[0].layout = layout;
    }
    cases.push_back(pool("four axes", dtype, {{1, 2, 3, 4, 3, 4}, {2, 2, 2, 2}}).at(Place::Host));
    if (row.id == "max_pool") add_indices(cases, dtype);
    if (row.id == "average_pool")
      for (size_t i : {2, 5, 6, 7, 9, 10})
        cases.push_back(pool("counted padding", dtype, geometries()[i], {{"count_include_pad", int64_t{1}}}));
    if (row.id == "lp_pool") add_powers(cases, dtype);
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(pool("dtype", dtype, geometries()[5]));
    if (is_float(dtype)) add_numbers(cases, dtype);
  }
  return cases;
}

Cases global_pool_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 3, 7}, Shape{2, 3, 5, 7}, Shape{1, 70, 7, 7}, Shape{2, 3, 4, 5, 6},
                               Shape{1, 2, 100003}, Shape{70001, 1, 3}, Shape{0, 3, 5}, Shape{2, 3, 0}, Shape{2, 0, 4}})
      cases.push_back({"shape", {tensor(dtype, shape)}});
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back({"layout", {tensor(dtype, {2, 3, 5, 7}).in(layout)}});
  }
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back({"dtype", {tensor(dtype, {2, 3, 5})}});
    cases.push_back({"specials", {reals(dtype, {1, 4, 3}, {1, kNan, 2, kInf, 1, 2, -kInf, 3, 4, -kInf, -kInf, -kInf})}});
  }
  return cases;
}

}  // namespace ops
