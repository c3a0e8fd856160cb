#include "tests/ops/drawn_case.h"

#include <format>
#include <numeric>

#include "tests/ops/awkward.h"
#include "tests/ops/dice.h"

namespace ops {

namespace {

using dbk::Attribute;
using dbk::OpRow;

int64_t& at_axis(Shape& shape, int64_t axis) { return shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.rank()) : axis)]; }

// ---- one rule per family: a case for a row and a type ----

OpCase unary(Dice& dice, const OpRow&, DType dtype) { return {"", {dice.laid(tensor(dtype, dice.shape(0, 5)))}}; }

OpCase binary(Dice& dice, const OpRow& row, DType dtype) {
  const Shape whole = dice.shape(0, 5);
  Operand a = dice.laid(tensor(dtype, whole)), b = dice.laid(tensor(dtype, dice.part_of(whole)));
  if (row.id != "prelu" && dice.chance(50)) std::swap(a, b);
  return {"", {a, b}};
}

OpCase where(Dice& dice, const OpRow&, DType dtype) {
  const Shape whole = dice.shape(0, 4);
  std::vector<Operand> operands{tensor(DBK_BOOL, dice.part_of(whole)), dice.laid(bits(dtype, dice.part_of(whole))), dice.laid(bits(dtype, dice.part_of(whole)))};
  operands[static_cast<size_t>(dice.between(0, 2))].shape = whole;
  return {"", operands};
}

OpCase reduce(Dice& dice, const OpRow&, DType dtype) {
  const Shape shape = dice.shape(1, 5, false);
  const Ints axes = dice.axes(shape);
  std::vector<Operand> operands{dice.laid(tensor(dtype, shape))};
  if (!axes.empty()) operands.push_back(integers(axes));
  return {"", operands, {{"keepdims", dice.between(0, 1)}}};
}

OpCase softmax(Dice& dice, const OpRow&, DType dtype) {
  const Shape shape = dice.shape(1, 5);
  return {"", {dice.laid(tensor(dtype, shape))}, {{"axis", dice.axis(shape)}}};
}

OpCase cum_sum(Dice& dice, const OpRow&, DType dtype) {
  const Shape shape = dice.shape(1, 4);
  const std::vector<Attribute> attributes{{"exclusive", dice.between(0, 1)}, {"reverse", dice.between(0, 1)}};
  return {"", {dice.laid(tensor(dtype, shape)), list(DBK_I64, {}, {dice.axis(shape)}).as(Origin::Const)}, attributes};
}

OpCase layer_normalization(Dice& dice, const OpRow& row, DType dtype) {
  const Shape shape = dice.shape(1, 4, false);
  const int64_t axis = dice.axis(shape);
  const auto rank = static_cast<int64_t>(shape.rank());
  Shape covered;
  for (int64_t d = axis < 0 ? axis + rank : axis; d < rank; ++d) covered.push_back(shape[static_cast<size_t>(d)]);
  std::vector<Operand> operands{dice.laid(tensor(dtype, shape)), dice.weight(tensor(dtype, covered).within(-2, 3))};
  if (row.id == "layer_normalization" && dice.chance(60)) operands.push_back(dice.weight(tensor(dtype, covered).within(-5, 4)));
  return {"", operands, {{"axis", axis}}};
}

OpCase matmul(Dice& dice, const OpRow& row, DType dtype) {
  Ints widths;  // of several results
  for (int64_t i = row.id == "split_matmul" ? dice.between(2, 3) : 0; i > 0; --i) widths.push_back(dice.extent());
  const int64_t m = dice.extent(), k = dice.extent(), n = widths.empty() ? dice.extent() : std::accumulate(widths.begin(), widths.end(), int64_t{0});
  const Shape batch = dice.chance(60) ? Shape{} : Shape{dice.between(1, 4), dice.between(1, 3)};
  const auto with = [](Shape shape, int64_t rows, int64_t columns) {
    shape.push_back(rows), shape.push_back(columns);
    return shape;
  };
  Shape a = batch, b = dice.part_of(batch);
  if (dice.chance(50)) std::swap(a, b);
  OpCase test("", {dice.laid(tensor(dtype, with(a, m, k))), dice.weight(tensor(dtype, with(b, k, n)))});
  if (widths.empty()) return test;
  test.attrs.set("widths", widths);
  return test.wanting(std::vector<bool>(widths.size(), true));
}

OpCase gemm(Dice& dice, const OpRow&, DType dtype) {
  const int64_t m = dice.extent(), k = dice.extent(), n = dice.extent(), a = dice.between(0, 1), b = dice.between(0, 1);
  std::vector<Operand> operands{dice.laid(tensor(dtype, a ? Shape{k, m} : Shape{m, k})), dice.weight(tensor(dtype, b ? Shape{n, k} : Shape{k, n}))};
  if (dice.chance(60)) operands.push_back(dice.weight(tensor(dtype, dice.part_of({m, n}))));
  const std::vector<double> factors = is_float(dtype) ? std::vector<double>{1, 1, 0.5, -2} : std::vector<double>{1};  // of integers: the host's
  return {"", operands, {{"transA", a}, {"transB", b}, {"alpha", dice.of(factors)}, {"beta", dice.of(factors)}}};
}

// Windows over one or two spatial axes, whose extents go behind those of `x`.
std::vector<Attribute> windows(Dice& dice, Shape& x, Ints& kernel, bool whole_padding) {
  Ints strides, dilations, begin, end;
  for (int64_t d = dice.between(1, 2); d > 0; --d) {
    const int64_t size = dice.between(1, 4), dilation = dice.between(1, 2), reach = (size - 1) * dilation + 1;
    kernel.push_back(size);
    x.push_back(reach + dice.between(0, 20));
    strides.push_back(dice.between(1, 3)), dilations.push_back(dilation);
    const int64_t most = whole_padding ? reach : size - 1;
    begin.push_back(dice.between(0, most)), end.push_back(dice.between(0, most));
  }
  begin.insert(begin.end(), end.begin(), end.end());
  return {{"strides", strides}, {"dilations", dilations}, {"pads", begin}};
}

OpCase conv(Dice& dice, const OpRow& row, DType dtype) {
  const bool bytes = row.family == "integer_conv";
  const int64_t group = dice.chance(30) ? dice.between(2, 4) : 1, in = dice.between(1, 9), out = dice.between(1, 9);
  Shape x{dice.between(1, 3), group * in}, w{group * out, in};
  Ints kernel;
  std::vector<Attribute> attributes = windows(dice, x, kernel, true);
  attributes.push_back({"group", group});
  for (int64_t size : kernel) w.push_back(size);
  if (bytes) {
    const DType other = dice.chance(50) ? DBK_I8 : DBK_U8;
    std::vector<Operand> operands{dice.laid(bits(dtype, x)), dice.weight(bits(other, w))};
    if (dice.chance(60)) operands.push_back(dice.weight(bits(dtype, {})));
    if (operands.size() == 3 && dice.chance(60)) operands.push_back(dice.weight(bits(other, dice.chance(50) ? Shape{} : Shape{w[0]})));
    return {"", operands, attributes};
  }
  std::vector<Operand> operands{dice.laid(tensor(dtype, x)), dice.weight(tensor(dtype, w))};
  if (dice.chance(60)) operands.push_back(dice.weight(tensor(dtype, {w[0]})));
  return {"", operands, attributes};
}

OpCase pool(Dice& dice, const OpRow&, DType dtype) {
  Shape x{dice.between(1, 3), dice.between(1, 5)};
  Ints kernel;
  std::vector<Attribute> attributes = windows(dice, x, kernel, false);
  attributes.push_back({"kernel_shape", kernel});
  return {"", {dice.laid(tensor(dtype, x))}, attributes};
}

OpCase resize(Dice& dice, const OpRow&, DType dtype) {
  using Texts = std::vector<std::string>;
  const Shape shape = dice.shape(1, 4, false);
  const bool blends = dbk::contains(dbk::F32 | dbk::F16, dtype) && dice.chance(50);
  Ints sizes;
  for (int64_t extent : shape) sizes.push_back(dice.chance(40) ? extent : dice.chance(50) ? 2 * extent : dice.between(1, 40));
  return {"",
          {dice.laid(tensor(dtype, shape)), absent, absent, integers(sizes)},
          {{"mode", blends ? dice.of(Texts{"linear", "cubic"}) : "nearest"},
           {"coordinate_transformation_mode", dice.of(Texts{"half_pixel", "asymmetric", "align_corners"})},
           {"nearest_mode", dice.of(Texts{"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"})}}};
}

OpCase transpose(Dice& dice, const OpRow&, DType dtype) {
  const Shape shape = dice.shape(1, 6);
  return {"", {dice.laid(bits(dtype, shape))}, {{"perm", dice.permutation(shape)}}};
}

OpCase slice(Dice& dice, const OpRow&, DType dtype) {
  const Shape shape = dice.shape(1, 5);
  const Ints axes = dice.axes(shape);
  Ints starts, ends, steps;
  for (size_t i = 0; i < axes.size(); ++i) {
    starts.push_back(dice.between(-12, 12)), ends.push_back(dice.between(-12, 300));
    steps.push_back(dice.of(Ints{1, 1, 2, 3, 7, -1, -2, -5}));
    if (steps.back() < 0) std::swap(starts.back(), ends.back());
  }
  return {"", {dice.laid(bits(dtype, shape)), integers(starts), integers(ends), integers(axes), integers(steps)}};
}

OpCase concat(Dice& dice, const OpRow&, DType dtype) {
  Shape shape = dice.shape(1, 4);
  const int64_t axis = dice.axis(shape);
  std::vector<Operand> operands;
  for (int64_t i = dice.between(1, 4); i > 0; --i) {
    at_axis(shape, axis) = dice.extent();
    operands.push_back(dice.weight(bits(dtype, shape)));
  }
  return {"", operands, {{"axis", axis}}};
}

OpCase split(Dice& dice, const OpRow&, DType dtype) {
  Shape shape = dice.shape(1, 4);
  const int64_t axis = dice.axis(shape);
  Ints parts;
  for (int64_t i = dice.between(1, 4); i > 0; --i) parts.push_back(dice.extent());
  at_axis(shape, axis) = 0;
  for (int64_t part : parts) at_axis(shape, axis) += part;
  return OpCase("", {dice.laid(bits(dtype, shape)), integers(parts)}, {{"axis", axis}}).wanting(std::vector<bool>(parts.size(), true));
}

OpCase gather(Dice& dice, const OpRow&, DType dtype) {
  Shape shape = dice.shape(1, 4);
  const int64_t axis = dice.axis(shape);
  at_axis(shape, axis) = dice.extent(false);
  const auto most = static_cast<double>(at_axis(shape, axis));
  const Operand indices = tensor(dice.chance(50) ? DBK_I64 : DBK_I32, dice.shape(0, 2)).within(-most, most - 1);
  return {"", {dice.laid(bits(dtype, shape)), dice.laid(indices)}, {{"axis", axis}}};
}

OpCase repeat(Dice& dice, const OpRow& row, DType dtype) {
  const Shape shape = dice.shape(0, 4);
  Ints numbers;
  if (row.id == "tile") {
    for (size_t d = 0; d < shape.rank(); ++d) numbers.push_back(dice.between(1, 3));
    return {"", {dice.laid(bits(dtype, shape)), integers(numbers)}};
  }
  numbers.assign(shape.begin(), shape.end());
  return {"", {dice.laid(bits(dtype, dice.part_of(shape))), integers(numbers)}};
}

OpCase pad(Dice& dice, const OpRow&, DType dtype) {
  const Shape shape = dice.shape(1, 4, false);
  const std::string mode = dice.of(std::vector<std::string>{"constant", "edge", "reflect", "wrap"});
  Ints pads;
  for (size_t i = 0; i < 2 * shape.rank(); ++i) pads.push_back(dice.between(0, 5));
  return {"", {dice.laid(bits(dtype, shape)), integers(pads)}, {{"mode", mode}}};
}

struct Rule {
  std::string_view family;
  OpCase (*draw)(Dice&, const OpRow&, DType);
  std::vector<std::string_view> without{};  // rows whose operands or attributes need more than this
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list{
      {"unary", unary}, {"predicate", unary}, {"binary", binary, {"mod", "bit_shift"}}, {"compare", binary}, {"where", where},
      {"reduce", reduce}, {"softmax", softmax}, {"cum_sum", cum_sum},
      {"layer_normalization", layer_normalization, {"skip_layer_normalization", "skip_simplified_layer_normalization"}},
      {"matmul", matmul}, {"gemm", gemm}, {"conv", conv}, {"integer_conv", conv, {"qlinear_conv"}},
      {"pool", pool, {"global_lp_pool"}}, {"resize", resize, {"upsample"}},
      {"transpose", transpose}, {"slice", slice}, {"concat", concat}, {"split", split}, {"gather", gather}, {"repeat", repeat},
      {"pad", pad, {"center_crop_pad"}}};
  return list;
}

// Rows of the rule's family that GPUs have kernels for.
std::vector<const OpRow*> rows_of(const Rule& rule) {
  std::vector<const OpRow*> rows;
  for (const OpRow& row : dbk::all_ops()) {
    const bool left_out = std::ranges::find(rule.without, row.id) != rule.without.end();
    if (row.family == rule.family && row.gpu_dtypes != 0 && !left_out) rows.push_back(&row);
  }
  return rows;
}

}  // namespace

DrawnCase draw_case(uint64_t seed, uint64_t number) {
  Dice dice(seed, number);
  const Rule& rule = dice.of(rules());
  const OpRow& row = *dice.of(rows_of(rule));
  const uint32_t opset = opset_of(row);
  const DType dtype = dice.of(gpu_dtypes_of(row, row.family == "where" ? 1 : 0, opset));
  OpCase test = rule.draw(dice, row, dtype).with_opset(opset);
  test.name = std::format("drawn {} {}", number, describe(test.inputs));
  return {&row, std::move(test)};
}

}  // namespace ops
