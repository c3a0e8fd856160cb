// Nodes that carry expressions: every type of value in registers, every frame, and products with each kind of epilogue operand.
#include "host_fallback/expression.h"
#include "tests/wgsl/example_nodes.h"

using namespace dbk;

namespace wgsl {

Expression::Step step(const char* op, std::vector<uint32_t> inputs, Attributes attrs) {
  return {find_op("", op), std::move(attrs), 13, std::move(inputs), op};
}

std::shared_ptr<const Expression> expression(uint32_t operands, std::vector<Expression::Step> steps) {
  Expression e;
  e.operands = operands;
  e.steps = std::move(steps);
  return std::make_shared<const Expression>(std::move(e));
}

namespace {

Attributes cast_to(int64_t type) {
  Attributes attrs;
  attrs.set("to", type);
  return attrs;
}

Attributes slope(double alpha) {
  Attributes attrs;
  attrs.set("alpha", alpha);
  return attrs;
}

ExampleNode node(const char* op, std::shared_ptr<const Expression> e, std::vector<TensorType> inputs, TensorType output,
                 std::vector<size_t> weights = {}) {
  ExampleNode made{&fused_op(op), {}, std::move(inputs), {std::move(output)}};
  made.attrs.set("expression", std::move(e));
  for (size_t i : weights) made.weights[i] = true;
  made.weight_b = made.weights[1];
  return made;
}

void add_elementwise(DType t, std::deque<ExampleNode>& out) {
  const auto chain = expression(4, {step("Add", {0, 1}), step("Gelu", {4}), step("Mul", {5, 2}), step("LeakyRelu", {6}, slope(0.1)),
                                    step("LeakyRelu", {7}, slope(0.25)), step("Max", {8, 3}), step("Mul", {9, 5})});
  const TensorType whole{t, {6, 5, 64}};
  const auto push = [&](const Shape& b, const Shape& c) {
    out.push_back(node("elementwise", chain, {whole, {t, b}, {t, c}, {t, {1}}}, whole, {3}));
  };
  push({6, 5, 64}, {6, 5, 64});
  push({64}, {6, 5, 64});
  push({64}, {5, 1});
  push({5, 64}, {6, 1, 1});
  const TensorType flat{t, {9}};
  out.push_back(node("elementwise", expression(2, {step("Sub", {0, 1}), step("Abs", {2})}), {flat, flat}, flat));
}

// f32 or f16 through i32, bool and back.
void add_mixed(DType t, std::deque<ExampleNode>& out) {
  const auto e = expression(3, {step("Cast", {0}, cast_to(6)), step("Max", {3, 1}), step("Cast", {4}, cast_to(9)),
                                step("Where", {5, 0, 2}), step("Cast", {6}, cast_to(1)), step("Cast", {5}, cast_to(1)),
                                step("Add", {7, 8}), step("Cast", {9}, cast_to(9))});
  for (const Shape& b : {Shape{8, 12}, Shape{8, 1}, Shape{3, 1, 1}})
    out.push_back(node("elementwise", e, {{t, {3, 8, 12}}, {DBK_I32, b}, {t, {}}}, {DBK_BOOL, {3, 8, 12}}));
  out.push_back(node("elementwise", expression(1, {step("Neg", {0}), step("Cast", {1}, cast_to(10))}), {{t, {40}}}, {DBK_F16, {40}}));
  out.push_back(node("elementwise", expression(2, {step("Where", {0, 1, 1}), step("Neg", {2})}), {{DBK_BOOL, {7, 1}}, {t, {5}}}, {t, {7, 5}}));
}

Attributes bounds(double low, double high) {
  Attributes attrs;
  attrs.set("min", low), attrs.set("max", high);
  return attrs;
}

void add_choices(DType t, std::deque<ExampleNode>& out) {
  const TensorType x{t, {40, 3}}, flags{DBK_BOOL, {3}}, one{t, {1}};
  const auto e = expression(4, {step("Less", {0, 2}), step("IsNaN", {0}), step("Or", {4, 5}), step("Equal", {6, 3}), step("Not", {7}),
                                step("Cast", {0}, cast_to(6)), step("Equal", {9, 9}), step("And", {8, 10}),
                                step("Clip", {0, Expression::kAbsent, 1}), step("Clip", {12}, bounds(-1, 3.5)), step("Where", {11, 13, 0})});
  out.push_back(node("elementwise", e, {x, one, x, flags}, x, {1}));
}

void add_products(DType t, std::deque<ExampleNode>& out) {
  const auto e = expression(4, {step("Add", {0, 1}), step("Gelu", {4}), step("Mul", {5, 2}), step("Add", {6, 3})});
  for (const bool weight : {false, true}) {
    const std::vector<size_t> weights = weight ? std::vector<size_t>{1, 2, 3} : std::vector<size_t>{2, 3};
    const TensorType c{t, {4, 16, 48}};
    out.push_back(node("fused_matmul", e, {{t, {4, 16, 84}}, {t, {84, 48}}, {t, {48}}, {t, {}}, c}, c, weights));
    out.back().attrs.set("product_inputs", int64_t{2});
    out.push_back(node("fused_gemm", e, {{t, {32, 64}}, {t, {64, 32}}, {t, {1, 32}}, {t, {1}}, {t, {32, 32}}}, {t, {32, 32}}, weights));
    for (const char* name : {"transA", "transB"}) out.back().attrs.set(name, int64_t{0});
    for (const char* name : {"alpha", "beta"}) out.back().attrs.set(name, 1.0);
    out.back().attrs.set("product_inputs", int64_t{2});
  }
}

void add_convolutions(DType t, std::deque<ExampleNode>& out) {
  const auto e = expression(4, {step("Mul", {0, 1}), step("Relu", {4}), step("Sub", {5, 2}), step("Add", {6, 3})});
  const TensorType y{t, {2, 16, 20, 20}};
  for (const bool bias : {false, true}) {
    std::vector<TensorType> inputs{{t, {2, 8, 20, 20}}, {t, {16, 8, 1, 1}}};
    if (bias) inputs.push_back({t, {16}});
    inputs.insert(inputs.end(), {{t, {16, 1, 1}}, {t, {}}, y});
    const size_t own = bias ? 3 : 2;
    out.push_back(node("fused_conv", e, inputs, y, {1, own, own + 1}));
    out.back().attrs.set("product_inputs", static_cast<int64_t>(own));
    out.back().attrs.set("group", int64_t{1});
    out.back().attrs.set("auto_pad", std::string("NOTSET"));
  }
}

// Products that store the other type; what is added behind a cast to f32 has it, too.
void add_casts(DType t, std::deque<ExampleNode>& out) {
  const DType other = t == DBK_F32 ? DBK_F16 : DBK_F32;
  const auto e = t == DBK_F32 ? expression(3, {step("Add", {0, 1}), step("Add", {3, 2}), step("Cast", {4}, cast_to(10))})
                              : expression(3, {step("Add", {0, 1}), step("Cast", {3}, cast_to(1)), step("Add", {4, 2})});
  const auto push = [&](const char* op, const Shape& a, const Shape& b, const Shape& column, const Shape& y, std::vector<size_t> weights) {
    out.push_back(node(op, e, {{t, a}, {t, b}, {t, column}, {DBK_F32, y}}, {other, y}, std::move(weights)));
    out.back().attrs.set("product_inputs", int64_t{2});
  };
  push("fused_matmul", {4, 16, 84}, {84, 48}, {48}, {4, 16, 48}, {1, 2});
  push("fused_matmul", {4, 16, 84}, {84, 48}, {48}, {4, 16, 48}, {2});
  for (const int64_t width : {20, 19}) {  // rows of whole vectors, and others
    push("fused_conv", {2, 8, 20, width}, {16, 8, 1, 1}, {16, 1, 1}, {2, 16, 20, width}, {1, 2});
    out.back().attrs.set("group", int64_t{1});
    out.back().attrs.set("auto_pad", std::string("NOTSET"));
  }
}

}  // namespace

void add_expression_nodes(std::deque<ExampleNode>& out) {
  for (DType t : {DBK_F32, DBK_F16}) {
    add_elementwise(t, out);
    add_mixed(t, out);
    add_choices(t, out);
    add_products(t, out);
    add_casts(t, out);
    add_convolutions(t, out);
  }
}

}  // namespace wgsl
