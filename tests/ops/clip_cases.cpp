// Clip: bounds as operands, of either side or both, crossed and infinite, and as the attributes of version 6.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

Operand one(DType dtype, double value) { return reals(dtype, {}, {value}); }

void add_bounds(Cases& cases, DType dtype) {
  const Operand x = tensor(dtype, {257}).within(0, 10), low = one(dtype, 3), high = one(dtype, 7);
  cases.emplace_back("both", std::vector{x, low, high});
  cases.emplace_back("low", std::vector{x, low});
  cases.emplace_back("low", std::vector{x, low, absent});
  cases.emplace_back("high", std::vector{x, absent, high});
  cases.emplace_back("none", std::vector{x});
  cases.emplace_back("crossed", std::vector{x, high, low});
  cases.emplace_back("weights", std::vector{x, low.as(Origin::Param), high.as(Origin::Const)});
}

}  // namespace

Cases clip_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    const Operand low = one(dtype, -3), high = one(dtype, 4);
    for (int64_t size : kSizes) cases.emplace_back("size", std::vector{tensor(dtype, {size}), low, high});
    for (const Shape& shape : ranked_shapes()) cases.emplace_back("rank", std::vector{tensor(dtype, shape), low, high});
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(layout), low, high});
  }
  // One of each frame: vectors of four, one element, elements that share words.
  for (const auto& [dtype, count] : {std::pair{DBK_F16, kOverVectorGrid}, {DBK_I64, kOverGrid}, {DBK_I8, kOverVectorGrid}})
    cases.emplace_back("grid", std::vector{tensor(dtype, {count}), one(dtype, -3), one(dtype, 4)});
  for (DType dtype : dtypes_of(row, 0)) {
    add_bounds(cases, dtype);
    if (!is_float(dtype)) {
      cases.emplace_back("specials", std::vector{list(dtype, {8}, special_integers(dtype)), one(dtype, 2), one(dtype, 5)});
      cases.emplace_back("open", std::vector{list(dtype, {8}, special_integers(dtype))});
      continue;
    }
    const std::vector<double> values = special_reals();
    const Operand specials = reals(dtype, {static_cast<int64_t>(values.size())}, values);
    constexpr double kInf = std::numeric_limits<double>::infinity();
    cases.emplace_back("specials", std::vector{specials, one(dtype, -2), one(dtype, 20)});
    cases.emplace_back("specials", std::vector{specials});
    cases.emplace_back("infinite", std::vector{specials, one(dtype, -kInf), one(dtype, kInf)});
    if (dtype == DBK_BF16) continue;  // version 6 has no such type
    cases.push_back(OpCase("attributes", {specials}, {{"min", -2.5}, {"max", 20.0}}).with_opset(7));
    cases.push_back(OpCase("attributes", {specials}, {{"max", 1.5}}).with_opset(7));
    cases.push_back(OpCase("attributes", {tensor(dtype, {65})}).with_opset(7));
  }
  return cases;
}

}  // namespace ops
