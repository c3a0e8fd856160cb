// x / 2 * (1 + erf(x / sqrt(2))) and its approximation x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), in
// whatever order exporters multiply: one node Gelu. x * sigmoid(x): one node Swish.
#include <cmath>
#include <numbers>

#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/polynomial.h"

namespace dbk {

namespace {

// The argument of Erf or Tanh, as a polynomial of x, is that of Gelu.
bool is_argument(const Node& function, const Polynomial& p, DType dtype) {
  const double slope = function.op_name == "Erf" ? std::numbers::sqrt2 / 2 : std::sqrt(2 / std::numbers::pi);
  const double cubic = function.op_name == "Erf" ? 0 : slope * 0.044715;
  const bool bend = cubic == 0 ? p.factor[3] == 0 : is_near(p.factor[3], cubic, dtype);
  return p.factor[0] == 0 && p.factor[2] == 0 && is_near(p.factor[1], slope, dtype) && bend;
}

// What `factor` times something is made of: x and constants. x is the operand of which the function's argument is
// Gelu's.
struct Half {
  ValueId x = DBK_NONE;
  double constant = 1;
  std::vector<const Node*> nodes;
};

std::optional<Half> read_factor(const Rewriter& r, const Node& function, ValueId factor) {
  Half half;
  for (ValueId x = factor; r.typed(x);) {
    if (const auto p = polynomial_of(r, function.inputs[0], x); p && is_argument(function, *p, r.type(x).dtype)) {
      half.x = x;
      half.nodes.insert(half.nodes.end(), p->nodes.begin(), p->nodes.end());
      return half;
    }
    const auto scaled = r.scaled(r.producer(x));
    if (!scaled) break;
    half.constant *= scaled->factor;
    half.nodes.push_back(r.producer(x));
    x = scaled->value;
  }
  return std::nullopt;
}

void match(Rewriter& r, const Node& function) {
  const Node* plus = r.sole_reader(function.outputs[0]);
  if (!is_op(plus, "Add") || r.scalar(other_operand(*plus, function.outputs[0])) != 1) return;
  std::vector<const Node*> absorbed;
  ValueId x = DBK_NONE, product = plus->outputs[0];
  double constant = 1;
  std::vector<const Node*> products;
  for (int i = 0; i < 3; ++i) {
    const Node* mul = r.sole_reader(product);
    if (const auto scaled = r.scaled(mul)) {
      constant *= scaled->factor;
    } else if (auto half = x == DBK_NONE && is_op(mul, "Mul") ? read_factor(r, function, other_operand(*mul, product)) : std::nullopt) {
      x = half->x;
      constant *= half->constant;
      absorbed.insert(absorbed.end(), half->nodes.begin(), half->nodes.end());
    } else {
      break;
    }
    products.push_back(mul);
    product = mul->outputs[0];
    if (x != DBK_NONE && is_near(constant, 0.5, r.type(x).dtype)) break;
  }
  if (x == DBK_NONE || !is_near(constant, 0.5, r.type(x).dtype) || !r.typed(product) || r.rank(product) != r.rank(x))
    return;
  absorbed.insert(absorbed.end(), {&function, plus});
  absorbed.insert(absorbed.end(), products.begin(), products.end());
  Attributes attrs;
  attrs.set("approximate", std::string(function.op_name == "Erf" ? "none" : "tanh"));
  r.replace(std::move(absorbed), Rewriter::make("Gelu", {x}, {product}, std::move(attrs)));
}

void match_swish(Rewriter& r, const Node& sigmoid) {
  const Node* mul = r.sole_reader(sigmoid.outputs[0]);
  const ValueId x = sigmoid.inputs[0];
  if (find_op("", "Swish") && is_op(mul, "Mul") && other_operand(*mul, sigmoid.outputs[0]) == x)
    r.replace({&sigmoid, mul}, Rewriter::make("Swish", {x}, mul->outputs));
}

}  // namespace

void match_gelu(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i) {
    const Node* node = r.at(i);
    if (is_op(node, "Erf") || is_op(node, "Tanh"))
      match(r, *node);
    else if (is_op(node, "Sigmoid"))
      match_swish(r, *node);
  }
}

}  // namespace dbk
