// Reductions: every axis of small shapes, lengths around a subgroup and a workgroup, few long rows, many short ones,
// columns instead of rows, nothing to reduce, and both ways in which versions of the ops give their axes. The first op of each type stands
// for the frames with all axes and layouts, and with lengths that the others skip.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Axes = std::vector<int64_t>;

std::vector<dbk::Attribute> keep(int64_t keepdims) { return {{"keepdims", keepdims}}; }

OpCase reduce(const char* name, const Operand& data, const Axes& axes, int64_t keepdims = 1) {
  if (axes.empty()) return {name, {data}, keep(keepdims)};
  return {name, {data, integers(axes)}, keep(keepdims)};
}

void add_axes(Cases& cases, DType dtype) {
  for (const Axes& axes : {Axes{}, Axes{0}, Axes{1}, Axes{-1}, Axes{0, 1}, Axes{0, 2}, Axes{1, 2}, Axes{2, 0, 1}})
    for (int64_t keepdims : {0, 1}) cases.push_back(reduce("axes", tensor(dtype, {4, 3, 5}), axes, keepdims));
  for (const Axes& axes : {Axes{0, 2, 4}, Axes{1, 3, 5}, Axes{-1, -6}, Axes{2, 3}})
    cases.push_back(reduce("rank 6", tensor(dtype, {2, 3, 2, 3, 2, 3}), axes, 0));
  cases.push_back(reduce("scalar", tensor(dtype, {}), {}));
  cases.push_back(OpCase("no axes is none", {tensor(dtype, {3, 5})}, {{"noop_with_empty_axes", 1}}));
  cases.push_back(OpCase("no axes is none", {tensor(dtype, {3, 5}), integers({})}, {{"noop_with_empty_axes", 1}}));
  cases.push_back(OpCase("empty axes is all", {tensor(dtype, {3, 5}), integers({})}));
  cases.push_back(
      OpCase("attribute", {tensor(dtype, {3, 5, 7})}, {{"axes", Axes{0, 2}}, {"keepdims", 0}}).with_opset(11));
}

void add_few_axes(Cases& cases, DType dtype) {
  for (const Axes& axes : {Axes{}, Axes{0}, Axes{-1}, Axes{0, 2}}) cases.push_back(reduce("axes", tensor(dtype, {4, 3, 5}), axes, 0));
  cases.push_back(OpCase("no axes is none", {tensor(dtype, {3, 5})}, {{"noop_with_empty_axes", 1}}));
  cases.push_back(OpCase("attribute", {tensor(dtype, {3, 5, 7})}, {{"axes", Axes{0, 2}}, {"keepdims", 0}}).with_opset(11));
}

void add_lengths(Cases& cases, DType dtype, const std::vector<int64_t>& lengths) {
  for (int64_t length : lengths) {
    cases.push_back(reduce("row", tensor(dtype, {length}), {0}));
    cases.push_back(reduce("rows", tensor(dtype, {7, length}), {1}));
    cases.push_back(reduce("columns", tensor(dtype, {length, 67}), {0}));
    cases.push_back(reduce("middle", tensor(dtype, {3, length, 5}), {1}));
  }
  cases.push_back(reduce("long", tensor(dtype, {2, 100003}), {1}));
}

void add_empty(Cases& cases, DType dtype) {
  cases.push_back(reduce("no rows", tensor(dtype, {0, 5}), {1}));
  cases.push_back(reduce("empty rows", tensor(dtype, {3, 0}), {1}));
  cases.push_back(reduce("empty rows", tensor(dtype, {70, 0, 2}), {1}, 0));
}

void add_specials(Cases& cases, DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> rows{1, 2, 3,    kNan, 1,    kInf, 2,   3,   -kInf, 4,   -5,    6,     kInf,  -kInf,
                                 1, 2, -0.0, -0.0, -0.0, -0.0, 6e4, 6e4, 6e4,   6e4, -kInf, -kInf, -kInf, -kInf};
  cases.push_back(reduce("specials", reals(dtype, {7, 4}, rows), {1}));
  for (int64_t length : {40, 300}) {  // one NaN far from both ends
    std::vector<double> row(static_cast<size_t>(length), 1.0);
    row[static_cast<size_t>(length) / 2 + 3] = kNan;
    cases.push_back(reduce("one NaN", reals(dtype, {3, length}, row), {1}));
    cases.push_back(reduce("one NaN", reals(dtype, {length, 20}, row), {0}));
  }
}

}  // namespace

Cases reduce_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    const bool all = stands_for_frame(row, dtype) || row.id == "reduce_max" || row.id == "reduce_log_sum_exp";  // of other frames
    all ? add_axes(cases, dtype) : add_few_axes(cases, dtype);
    add_lengths(cases, dtype, all ? std::vector<int64_t>{1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 255, 256, 257, 1021, 4099} : std::vector<int64_t>{1, 3, 33, 257, 4099});
    if (row.id != "reduce_mean" || is_float(dtype)) add_empty(cases, dtype);
    cases.push_back(reduce("many rows", tensor(dtype, {70001, 3}), {1}));
    cases.push_back(reduce("many columns", tensor(dtype, {3, 70001}), {0}));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      if (all) cases.push_back(reduce("layout", tensor(dtype, {3, 5, 7}).in(layout), {1}, 0));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(reduce("dtype", tensor(dtype, {3, 5}), {1}));
    if (row.id != "reduce_mean" || is_float(dtype)) cases.push_back(reduce("empty rows", tensor(dtype, {3, 0}), {1}));
    if (is_float(dtype))
      add_specials(cases, dtype);
    else if (dtype != DBK_BOOL)
      cases.push_back(reduce("wraps", list(dtype, {9, 8}, special_integers(dtype)), {1}));
  }
  cases.push_back(reduce("weight", tensor(DBK_F32, {3, 5}).as(Origin::Param), {0}));
  if (row.id == "reduce_sum") {
    cases.push_back(reduce("grid", tensor(DBK_F16, {kOverGrid, 2}), {1}));
    cases.push_back(reduce("grid", tensor(DBK_F32, {70001, 40}), {1}));
  }
  return cases;
}

}  // namespace ops
