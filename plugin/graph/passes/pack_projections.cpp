// Queries, keys and values of attention are often products of one input with three weights. One product with the
// weights side by side is faster than three, and attention reads its columns where they lie.
#include <algorithm>
#include <utility>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// x w, or x w + bias.
struct Projection {
  ValueId x = DBK_NONE, weight = DBK_NONE, bias = DBK_NONE;
  const Node *product = nullptr, *add = nullptr;  // add: null without a bias
};

constexpr const char* kFirst[] = {"q_first", "k_first", "v_first"};  // columns where operands begin

std::optional<Projection> read_projection(const Rewriter& r, ValueId v) {
  Projection p;
  const Node* node = r.producer(v);
  if (is_op(node, "Add")) {
    const size_t at = r.is_weight(node->inputs[0]) ? 0 : 1;
    p.bias = node->inputs[at];
    if (!r.is_weight(p.bias) || r.rank(p.bias) != 1) return std::nullopt;
    p.add = node;
    node = r.sole_reader(node->inputs[1 - at]) == node ? r.producer(node->inputs[1 - at]) : nullptr;
  }
  if (!is_op(node, "MatMul") || !r.is_weight(node->inputs[1]) || r.rank(node->inputs[1]) != 2) return std::nullopt;
  p.x = node->inputs[0];
  p.weight = node->inputs[1];
  p.product = node;
  const bool covers = p.bias == DBK_NONE || r.type(p.bias).shape[0] == r.type(p.weight).shape[1];
  return covers ? std::optional(p) : std::nullopt;
}

// Weights side by side; the same parameter thrice is one operand thrice.
ValueId join(Rewriter& r, const std::vector<ValueId>& parts, int64_t axis, const Node& near) {
  TensorType type = r.type(parts.front());
  const auto at = static_cast<size_t>(axis);
  type.shape[at] = 0;
  for (ValueId part : parts) type.shape[at] += r.type(part).shape[at];
  const ValueId joined = r.add_value(type);
  Attributes attrs;
  attrs.set("axis", axis);
  r.insert(Rewriter::make("Concat", parts, {joined}, std::move(attrs)), near);
  return joined;
}

Attributes with_windows(const Attributes& given, const std::vector<int64_t>& first) {
  Attributes attrs;
  for (const Attribute& a : given.items())
    if (!a.name.ends_with("_first")) attrs.set(a.name, a.value);
  for (size_t i = 0; i < 3; ++i) attrs.set(kFirst[i], first[i]);
  return attrs;
}

// The projections of operands [begin, 3) of an attention node, where they have one input and nobody else reads them.
std::optional<std::vector<Projection>> read_projections(const Rewriter& r, const Node& attention, size_t begin) {
  std::vector<Projection> parts;
  for (size_t i = begin; i < 3; ++i) {
    const ValueId operand = attention.inputs[i];
    const bool twice = std::count(attention.inputs.begin(), attention.inputs.end(), operand) > 1;
    const auto p = twice || r.rank(operand) != 3 || r.sole_reader(operand) != &attention ? std::nullopt : read_projection(r, operand);
    if (!p || attention.attrs.integer(kFirst[i]) != 0) return std::nullopt;
    if (!parts.empty() && (p->x != parts[0].x || (p->add == nullptr) != (parts[0].add == nullptr))) return std::nullopt;
    parts.push_back(*p);
  }
  return parts;
}

// Packs all three operands, or keys and values of another sequence than that of the queries.
bool pack(Rewriter& r, const Node& attention, size_t begin) {
  const auto parts = read_projections(r, attention, begin);
  if (!parts) return false;
  std::vector<ValueId> weights, biases;
  std::vector<const Node*> products, sums;
  std::vector<int64_t> first{0, 0, 0};
  int64_t columns = 0;
  for (size_t i = begin; const Projection& p : *parts) {
    first[i++] = columns;
    columns += r.type(p.weight).shape[1];
    weights.push_back(p.weight);
    products.push_back(p.product);
    if (p.add) biases.push_back(p.bias), sums.push_back(p.add);
  }
  const DType dtype = r.type(attention.inputs[1]).dtype;
  ValueId packed = r.add_value({dtype, {}});
  std::vector<Rewriter::Replacement> list;
  list.push_back(
      {products, Rewriter::make("MatMul", {parts->front().x, join(r, weights, 1, *products.back())}, {packed})});
  if (!sums.empty()) {
    const ValueId product = std::exchange(packed, r.add_value({dtype, {}}));
    list.push_back({sums, Rewriter::make("Add", {product, join(r, biases, 0, *sums.back())}, {packed})});
  }
  std::vector<ValueId> inputs = attention.inputs;
  std::fill(inputs.begin() + static_cast<ptrdiff_t>(begin), inputs.begin() + 3, packed);
  list.push_back(
      {{&attention},
       Rewriter::make("Attention", inputs, attention.outputs, with_windows(attention.attrs, first), "ai.daybreak")});
  return r.replace_all(std::move(list));
}

}  // namespace

void pack_projections(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    if (node && node->domain == "ai.daybreak" && node->op_name == "Attention" && !pack(r, *node, 0)) pack(r, *node, 1);
  }
}

}  // namespace dbk
