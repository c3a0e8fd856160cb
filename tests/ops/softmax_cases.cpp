// Softmax: along every axis, rows from one to thousands of elements, many rows, large and masked numbers, and the
// flattening of versions before 13.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase softmax(const char* name, const Operand& x, int64_t axis = -1) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis), {x}, {{"axis", axis}});
}

void add_shapes(Cases& cases, DType dtype) {
  for (int64_t length : {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1021, 1025, 4099}) {
    cases.push_back(softmax("row", tensor(dtype, {length}), 0));
    cases.push_back(softmax("rows", tensor(dtype, {7, length})));
    cases.push_back(softmax("columns", tensor(dtype, {length, 19}), 0));
    cases.push_back(softmax("middle", tensor(dtype, {3, length, 5}), 1));
  }
  for (int64_t axis : {0, 1, 2, 3, -1, -4}) cases.push_back(softmax("rank 4", tensor(dtype, {2, 3, 5, 7}), axis));
  for (int64_t axis : {0, 2, 5}) cases.push_back(softmax("rank 6", tensor(dtype, {2, 3, 1, 2, 2, 3}), axis));
  for (int64_t axis : {0, 1, 2}) cases.push_back(softmax("flattened", tensor(dtype, {2, 3, 5}), axis).with_opset(11));
  cases.push_back(OpCase("default axis", {tensor(dtype, {2, 3, 5})}));
  cases.push_back(OpCase("default axis", {tensor(dtype, {2, 3, 5})}).with_opset(11));
  for (const Shape& shape : {Shape{0, 5}, Shape{5, 0}, Shape{2, 0, 3}})
    cases.push_back(softmax("empty", tensor(dtype, shape), 1));
  // Rows that CPU adapters cut into segments: whole ones, one that shares elements with its neighbour, the longest and one beyond.
  for (const Shape& shape : {Shape{521, 128}, Shape{509, 132}, Shape{5, 27, 508}, Shape{67, 1020}, Shape{33, 2048}, Shape{33, 2052}})
    cases.push_back(softmax("segments", tensor(dtype, shape)));
  cases.push_back(softmax("many rows", tensor(dtype, {70001, 3})));
  cases.push_back(softmax("many columns", tensor(dtype, {3, 70001}), 0));
  cases.push_back(softmax("long", tensor(dtype, {1, 100003})));
}

void add_numbers(Cases& cases, DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> rows{1,     2,     3,     4,     1e4, 9999, 9998, -1e4, -1e4,  -9999, -1e4,
                                 -9998, -kInf, 1,     -kInf, 2,   6e4,  6e4,  -6e4, 65504, kNan,  1,
                                 2,     3,     kInf,  1,     2,   3,    0.0,  -0.0, 0.0,   -0.0,  -kInf,
                                 -kInf, -kInf, -kInf, 20,    -20, 0,    40,   -100, 3.0,   3.0,   3.0};
  cases.push_back(softmax("specials", reals(dtype, {11, 4}, rows)));
  cases.push_back(softmax("specials", reals(dtype, {4, 11}, rows), 0));
  std::vector<double> masked(300, -kInf);
  for (size_t i = 100; i < 140; ++i) masked[i] = static_cast<double>(i) / 8;
  cases.push_back(softmax("masked", reals(dtype, {3, 300}, masked)));
  std::vector<double> broken(300, 1.0);
  broken[177] = kNan;
  cases.push_back(softmax("one NaN", reals(dtype, {2, 300}, broken)));
  std::vector<double> segments(130 * 516, -kInf);  // a segment of nothing, all of them, an element that is no number
  for (size_t i = 0; i < segments.size(); ++i)
    if (i / 516 % 4 != 1 && i % 516 >= 200 && i % 516 < 515) segments[i] = static_cast<double>(i % 97) - 48;
  segments[3 * 516 + 511] = kNan;
  cases.push_back(softmax("segments", reals(dtype, {130, 516}, segments)));
  cases.push_back(softmax("steep segments", tensor(dtype, {130, 516}).within(-80, 80)));
  cases.push_back(softmax("steep", tensor(dtype, {5, 257}).within(-80, 80)));
}

}  // namespace

Cases softmax_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    add_shapes(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(softmax("layout", tensor(dtype, {3, 5, 7}).in(layout), 1));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(softmax("dtype", tensor(dtype, {3, 5})));
    add_numbers(cases, dtype);
  }
  cases.push_back(softmax("weight", tensor(DBK_F32, {3, 5}).as(Origin::Param)));
  return cases;
}

}  // namespace ops
