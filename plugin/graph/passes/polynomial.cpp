#include "plugin/graph/passes/polynomial.h"

#include <algorithm>
#include <cmath>

namespace dbk {

namespace {

using Factors = std::array<double, 4>;

std::optional<Factors> product(const Factors& a, const Factors& b) {
  Factors result{};
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) {
      if (a[i] * b[j] == 0) continue;
      if (i + j >= result.size()) return std::nullopt;
      result[i + j] += a[i] * b[j];
    }
  return result;
}

class Reader {
 public:
  Reader(const Rewriter& r, ValueId x, std::vector<const Node*>& nodes) : r_(r), x_(x), nodes_(nodes) {}

  std::optional<Factors> read(ValueId v, int depth = 0) {
    if (v == x_) return Factors{0, 1, 0, 0};
    if (const auto number = r_.scalar(v))
      return r_.rank(v) <= r_.rank(x_) ? std::optional(Factors{*number, 0, 0, 0}) : std::nullopt;
    const Node* node = r_.producer(v);
    if (!node || !node->domain.empty() || depth == 6 || !r_.typed(v) || r_.rank(v) != r_.rank(x_)) return std::nullopt;
    const std::string_view op = node->op_name;
    if (op != "Add" && op != "Sub" && op != "Mul" && op != "Div" && op != "Pow" && op != "Neg") return std::nullopt;
    const auto a = read(node->inputs[0], depth + 1);
    const auto b = !a ? a : node->inputs.size() == 2 ? read(node->inputs[1], depth + 1) : Factors{-1, 0, 0, 0};
    const auto result = a && b ? combine(op, *a, *b) : std::nullopt;
    if (result && std::ranges::find(nodes_, node) == nodes_.end()) nodes_.push_back(node);
    return result;
  }

 private:
  static std::optional<Factors> combine(std::string_view op, const Factors& a, const Factors& b) {
    const bool number = b[1] == 0 && b[2] == 0 && b[3] == 0;
    if (op == "Mul" || op == "Neg") return product(a, b);
    if (op == "Div") return number && b[0] != 0 ? product(a, {1 / b[0], 0, 0, 0}) : std::nullopt;
    if (op == "Pow") {
      if (!number || (b[0] != 2 && b[0] != 3)) return std::nullopt;
      const auto square = product(a, a);
      return b[0] == 2 || !square ? square : product(*square, a);
    }
    Factors result;
    for (size_t i = 0; i < a.size(); ++i) result[i] = op == "Add" ? a[i] + b[i] : a[i] - b[i];
    return result;
  }

  const Rewriter& r_;
  ValueId x_;
  std::vector<const Node*>& nodes_;
};

}  // namespace

std::optional<Polynomial> polynomial_of(const Rewriter& r, ValueId value, ValueId x) {
  Polynomial result;
  if (!r.typed(x)) return std::nullopt;
  const auto factors = Reader(r, x, result.nodes).read(value);
  if (!factors) return std::nullopt;
  result.factor = *factors;
  return result;
}

bool is_near(double stored, double number, DType dtype) {
  const double rounding = dtype == DBK_F16 ? 0x1p-10 : dtype == DBK_BF16 ? 0x1p-7 : 1e-6;
  return std::abs(stored - number) <= rounding * std::abs(number);
}

}  // namespace dbk
