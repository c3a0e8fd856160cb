// LayerNormalization and its kin: every axis, lengths around a workgroup, all combinations of bias and optional outputs, data far
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
  // Rows that CPU adapters cut into segments: whole ones, one that shares elements with its neighbour, the longest and one beyond.
  for (const Shape& shape : {Shape{521, 128}, Shape{509, 132}, Shape{5, 27, 508}, Shape{67, 1020}, Shape{33, 2048}, Shape{33, 2052}})
    cases.push_back(normalise("segments", tensor(dtype, shape), -1, shape[0] != 67, {true, true, true}));
  cases.push_back(normalise("segments of two axes", tensor(dtype, {130, 4, 129}), 1));
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
  cases.push_back(normalise("far segments", tensor(dtype, {260, 260}).within(1000, 1003), -1, true, {true, true, true}));
  cases.push_back(normalise("equal", reals(dtype, {3, 64}, {2.5}), -1, true, {true, true, true}));
  cases.push_back(normalise("tiny", tensor(dtype, {3, 64}).within(-1e-3, 1e-3)));
  cases.push_back(normalise("large", reals(dtype, {2, 40}, {6e4, -6e4, 5e4, 100}), -1, true, {true, true, true}));
  cases.push_back(normalise("NaN",
                            reals(dtype, {2, 5}, {1, 2, std::numeric_limits<double>::quiet_NaN(), 3, 4, 5, 6, 7, 8, 9}),
                            -1, true, {true, true, true}));
}

// RMSNormalization and its older form with the inverse as a second output.
Cases simplified_cases(const dbk::OpRow& row) {
  Cases cases;
  const bool kept = row.id == "simplified_layer_normalization";
  const auto add = [&](const char* name, const Operand& x, int64_t axis) {
    OpCase made = normalise(name, x, axis, false, kept && x.shape.rank() > 1 ? std::vector{true, true} : std::vector{true});
    cases.push_back(made.with_opset(23));
  };
  for (DType dtype : gpu_dtypes_of(row, 0, 23)) {
    for (int64_t length : {1, 2, 31, 33, 64, 65, 255, 257, 384, 1021, 4099}) add("rows", tensor(dtype, {7, length}), -1);
    for (const Shape& shape : {Shape{521, 128}, Shape{130, 516}, Shape{33, 2048}}) add("segments", tensor(dtype, shape), -1);
    for (int64_t axis : {0, 1, 3, -2}) add("rank 4", tensor(dtype, {2, 3, 5, 7}), axis);
    add("row", tensor(dtype, {300}), 0);
    add("empty", tensor(dtype, {0, 5}), -1);
    add("many rows", tensor(dtype, {70001, 3}), -1);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed}) add("layout", tensor(dtype, {3, 5, 7}).in(layout), 1);
  }
  for (DType dtype : dtypes_of(row, 0, 23)) {
    add("far from 0", tensor(dtype, {9, 257}).within(1000, 1003), -1);
    add("large", reals(dtype, {2, 40}, {6e4, -6e4, 5e4, 100}), -1);
    add("tiny", tensor(dtype, {3, 64}).within(-1e-3, 1e-3), -1);
    add("NaN", reals(dtype, {2, 5}, {1, 2, std::numeric_limits<double>::quiet_NaN(), 3, 4, 5, 6, 7, 8, 9}), -1);
  }
  return cases;
}

// input + skip + bias, with all outputs or some.
Cases skip_cases(const dbk::OpRow& row) {
  Cases cases;
  const bool centred = row.id == "skip_layer_normalization";
  const auto add = [&](const char* name, const Operand& x, const Operand& skip, bool beta, bool bias, std::vector<bool> outputs) {
    const Operand last = tensor(x.dtype, {x.shape[x.shape.rank() - 1]}).within(-2, 3);
    std::vector<Operand> operands{x, skip, last};
    if (centred && (beta || bias)) operands.push_back(beta ? last.within(-5, 4) : absent);
    if (bias) operands.push_back(last.within(-3, 3));
    cases.push_back(OpCase(name, operands, {{"epsilon", 1e-5}}).wanting(std::move(outputs)));
  };
  for (DType dtype : gpu_dtypes_of(row)) {
    for (int64_t length : {1, 3, 32, 65, 257, 384, 1021})
      for (bool bias : {false, true})
        add("rows", tensor(dtype, {2, 5, length}), tensor(dtype, {2, 5, length}), bias, bias, {true, false, false, true});
    for (bool bias : {false, true}) {
      add("segments", tensor(dtype, {26, 5, 516}), tensor(dtype, {26, 5, 516}), bias, bias, {true, false, false, bias});
      add("segments", tensor(dtype, {26, 5, 516}), tensor(dtype, {5, 516}), !bias, bias, {true, !bias, false, true});
    }
    for (const std::vector<bool>& outputs : {std::vector{true}, {true, true, true}, {true, false, true}, {true, true, true, true}})
      add("outputs", tensor(dtype, {3, 67}), tensor(dtype, {3, 67}), true, false, outputs);
    for (const Shape& skip : {Shape{1, 5, 12}, Shape{5, 12}, Shape{3, 5, 12}})
      add("skip repeats", tensor(dtype, {3, 5, 12}), tensor(dtype, skip), false, true, {true, false, false, true});
    add("empty", tensor(dtype, {0, 5}), tensor(dtype, {0, 5}), true, true, {true, false, false, true});
    add("many rows", tensor(dtype, {70001, 3}), tensor(dtype, {70001, 3}), true, true, {true, false, false, true});
    add("layout", tensor(dtype, {3, 5, 7}).in(Layout::Sliced), tensor(dtype, {3, 5, 7}).in(Layout::Transposed), true, true, {true});
  }
  for (DType dtype : dtypes_of(row, 0)) {
    add("cancels", tensor(dtype, {5, 67}).within(900, 901), tensor(dtype, {5, 67}).within(-901, -900), true, true, {true, false, false, true});
    add("large", reals(dtype, {2, 40}, {6e4, -6e4, 5e4, 100}), reals(dtype, {2, 40}, {1e3, -6e4, 3}), true, true, {true});
  }
  return cases;
}

}  // namespace

Cases layer_normalization_cases(const dbk::OpRow& row) {
  if (row.id.starts_with("skip_")) return skip_cases(row);
  if (row.id != "layer_normalization") return simplified_cases(row);
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
