// LayerNormalization: every axis, lengths around a workgroup, all combinations of bias and optional outputs, data far
// from 0. Scale and bias that do not cover the normalised dimensions, and statistics alone, are the host's.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

Shape from_axis(const Shape& shape, int64_t axis) {
  const auto rank = static_cast<int64_t>(shape.rank());
  Shape result;
  for (int64_t d = axis < 0 ? axis + rank : axis; d < rank; ++d) result.push_back(shape[static_cast<size_t>(d)]);
  return result;
}

OpCase normalise(const char* name, const Operand& x, int64_t axis = -1, bool bias = true,
                 std::vector<bool> outputs = {true}) {
  std::vector<Operand> operands{x, tensor(x.dtype, from_axis(x.shape, axis)).within(-2, 3)};
  if (bias) operands.push_back(tensor(x.dtype, from_axis(x.shape, axis)).within(-5, 4));
  return OpCase(std::string(name) + " axis " + std::to_string(axis), operands, {{"axis", axis}})
      .wanting(std::move(outputs));
}

void add_shapes(Cases& cases, DType dtype) {
  for (int64_t length : {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 384, 1021, 4099}) {
    cases.push_back(normalise("rows", tensor(dtype, {7, length})));
    cases.push_back(normalise("row", tensor(dtype, {length}), 0, false));
  }
  for (int64_t axis : {0, 1, 2, 3, -1, -2, -4})
    cases.push_back(normalise("rank 4", tensor(dtype, {2, 3, 5, 7}), axis, true, {true, true, true}));
  cases.push_back(normalise("rank 6", tensor(dtype, {2, 3, 1, 2, 2, 3}), 3));
  for (const Shape& shape : {Shape{0, 5}, Shape{2, 0, 3}}) cases.push_back(normalise("empty", tensor(dtype, shape)));
  cases.push_back(normalise("many rows", tensor(dtype, {70001, 3}), -1, true, {true, true, true}));
  cases.push_back(normalise("long", tensor(dtype, {2, 100003})));
}

void add_operands(Cases& cases, DType dtype) {
  for (bool bias : {false, true})
    for (const std::vector<bool>& outputs : {std::vector{true}, {true, true}, {true, false, true}, {true, true, true}})
      cases.push_back(normalise(bias ? "bias" : "no bias", tensor(dtype, {5, 67}), -1, bias, outputs));
  cases.push_back(normalise("statistics", tensor(dtype, {5, 67}), -1, true, {false, true, true}).at(Place::Host));
  const Operand x = tensor(dtype, {4, 5, 6}), one = tensor(dtype, {}).within(-2, 3),
                last = tensor(dtype, {6}).within(-2, 3);
  const auto with = [&](const char* name, const std::vector<Operand>& operands, int64_t axis) {
    return OpCase(name, operands, {{"axis", axis}, {"epsilon", 0.25}});
  };
  cases.push_back(with("scalar scale", {x, one}, -1));
  cases.push_back(with("scalar scale", {x, tensor(dtype, {1}).within(-2, 3), one}, 1));
  cases.push_back(with("leading ones", {x, tensor(dtype, {1, 6}).within(-2, 3), last}, -1));
  cases.push_back(with("narrow scale", {x, last, last}, 1).at(Place::Host));
  cases.push_back(with("row scale", {x, tensor(dtype, {5, 1}).within(-2, 3)}, 2).at(Place::Host));
  cases.push_back(with("weights", {x, last.as(Origin::Param), last.as(Origin::Const)}, -1));
}

void add_numbers(Cases& cases, DType dtype) {
  cases.push_back(normalise("far from 0", tensor(dtype, {9, 257}).within(1000, 1003), -1, true, {true, true, true}));
  cases.push_back(normalise("equal", reals(dtype, {3, 64}, {2.5}), -1, true, {true, true, true}));
  cases.push_back(normalise("tiny", tensor(dtype, {3, 64}).within(-1e-3, 1e-3)));
  cases.push_back(normalise("large", reals(dtype, {2, 40}, {6e4, -6e4, 5e4, 100}), -1, true, {true, true, true}));
  cases.push_back(normalise("NaN",
                            reals(dtype, {2, 5}, {1, 2, std::numeric_limits<double>::quiet_NaN(), 3, 4, 5, 6, 7, 8, 9}),
                            -1, true, {true, true, true}));
}

}  // namespace

Cases layer_normalization_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    add_shapes(cases, dtype);
    add_operands(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back(normalise("layout", tensor(dtype, {3, 5, 7}).in(layout), 1));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(normalise("dtype", tensor(dtype, {3, 5}), -1, true, {true, true, true}));
    add_numbers(cases, dtype);
  }
  return cases;
}

}  // namespace ops
