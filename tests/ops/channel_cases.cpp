// LpNormalization along every axis; LRN with windows of channels that hang over both ends; MeanVarianceNormalization over
// lists of axes.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases lp_normalization_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto normalise = [](const char* name, const Operand& x, int64_t axis, int64_t p) {
    return OpCase(name + std::string(" axis ") + std::to_string(axis), {x}, {{"axis", axis}, {"p", p}});
  };
  for (DType dtype : gpu_dtypes_of(row))
    for (int64_t p : {1, 2}) {
      for (int64_t axis : {0, 1, 2, -1, -3}) cases.push_back(normalise("rank 3", tensor(dtype, {4, 3, 5}), axis, p));
      for (int64_t length : {1, 31, 32, 33, 64, 257, 1021}) {
        cases.push_back(normalise("rows", tensor(dtype, {7, length}), 1, p));
        cases.push_back(normalise("columns", tensor(dtype, {length, 67}), 0, p));
      }
      cases.push_back(normalise("empty", tensor(dtype, {0, 5}), 1, p));
      cases.push_back(normalise("empty", tensor(dtype, {3, 0}), 1, p));
      cases.push_back(normalise("many rows", tensor(dtype, {70001, 3}), 1, p));
      cases.push_back(normalise("zeros", reals(dtype, {3, 4}, {0, 0, 0, 0, 1, 2, 3, 4}), 1, p));
      cases.push_back(normalise("layout", tensor(dtype, {3, 5, 7}).in(Layout::Transposed), 1, p));
    }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(normalise("dtype", tensor(dtype, {3, 5}), 1, 2));
  return cases;
}

Cases lrn_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto respond = [](const char* name, const Operand& x, int64_t size, double beta = 0.75, double alpha = 1e-2) {
    return OpCase(name + std::string(" size ") + std::to_string(size), {x},
                  {{"size", size}, {"beta", beta}, {"alpha", alpha}, {"bias", 1.5}});
  };
  for (DType dtype : gpu_dtypes_of(row)) {
    for (int64_t size : {1, 2, 3, 5, 6, 40}) cases.push_back(respond("window", tensor(dtype, {2, 11, 5, 3}), size));
    for (const Shape& shape : {Shape{3, 5}, Shape{2, 3, 63}, Shape{1, 4, 65}, Shape{2, 2, 2, 3, 4}, Shape{0, 3, 4},
                               Shape{2, 3, 0}, Shape{65537, 2, 33}})
      cases.push_back(respond("shape", tensor(dtype, shape), 3));
    cases.push_back(respond("powers", tensor(dtype, {2, 7, 5}), 3, 0.5, 2.0));
    cases.push_back(respond("powers", tensor(dtype, {2, 7, 5}), 3, 1.3, 0.25));
    cases.push_back(respond("layout", tensor(dtype, {2, 7, 5}).in(Layout::Reversed), 3));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(respond("dtype", tensor(dtype, {2, 5, 3}), 3));
  return cases;
}

Cases mean_variance_normalization_cases(const dbk::OpRow& row) {
  using Axes = std::vector<int64_t>;
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back({"default axes", {tensor(dtype, {2, 3, 4, 5})}});
    for (const Axes& axes : {Axes{0}, Axes{1}, Axes{-1}, Axes{1, 2}, Axes{0, 2}, Axes{0, 1, 2}})
      cases.push_back({"axes", {tensor(dtype, {4, 3, 70})}, {{"axes", axes}}});
    cases.push_back({"far from 0", {tensor(dtype, {4, 70}).within(1000, 1003)}, {{"axes", Axes{1}}}});
    cases.push_back({"empty", {tensor(dtype, {0, 3})}, {{"axes", Axes{1}}}});
    cases.push_back({"nothing", {tensor(dtype, {3, 4})}, {{"axes", Axes{}}}});
    for (int64_t length : {1, 31, 33, 64, 257, 4099}) cases.push_back({"rows", {tensor(dtype, {3, length})}, {{"axes", Axes{1}}}});
    cases.push_back({"columns", {tensor(dtype, {67, 130})}, {{"axes", Axes{0}}}});
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back({"layout", {tensor(dtype, {3, 4, 7, 5}).in(layout)}});
  }
  return cases;
}

}  // namespace ops
