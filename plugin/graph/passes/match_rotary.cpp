// Rotary position embedding as exporters write it out: x cos + turned(x) sin, where turned(x) cuts the last axis of x in two, halves or
// every second element, and joins (-second, first) again. One node ai.daybreak.Rotary.
#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/rotary_parts.h"

namespace dbk {

namespace {

struct Rotary {
  ValueId x = DBK_NONE;
  bool interleaved = false;
  std::vector<const Node*> nodes;  // in order
};

// -v: Neg, or a product with -1.
ValueId negated(const Rewriter& r, ValueId v, std::vector<const Node*>& nodes) {
  const Node* node = r.producer(v);
  if (is_op(node, "Neg")) return nodes.push_back(node), node->inputs[0];
  if (!is_op(node, "Mul")) return DBK_NONE;
  for (size_t i : {0u, 1u})
    if (r.scalar(node->inputs[i]) == -1 && r.rank(node->inputs[i]) == 0) return nodes.push_back(node), node->inputs[1 - i];
  return DBK_NONE;
}

// Both parts of x, first the negative second one, from the operands of the Concat.
bool read_parts(const Rewriter& r, ValueId minus, ValueId plus, Rotary& rotary) {
  const ValueId behind = negated(r, minus, rotary.nodes);
  const auto second = behind == DBK_NONE ? std::nullopt : read_part(r, behind), first = read_part(r, plus);
  if (!first || !second || !is_pair(r, *first, *second, rotary.interleaved)) return false;
  rotary.x = first->x;
  rotary.nodes.insert(rotary.nodes.begin(), second->node);
  if (first->node != second->node) rotary.nodes.insert(rotary.nodes.begin(), first->node);
  return true;
}

std::optional<Rotary> read_turned(const Rewriter& r, ValueId turned) {
  Rotary rotary;
  const Node* reshape = r.producer(turned, "Reshape");
  rotary.interleaved = reshape != nullptr;
  const Node* join = r.producer(reshape ? reshape->inputs[0] : turned, "Concat");
  if (!join || join->inputs.size() != 2 || !r.typed(join->outputs[0]) || !is_last_axis(r, join->attrs.integer("axis"), join->outputs[0]))
    return std::nullopt;
  ValueId minus = join->inputs[0], plus = join->inputs[1];
  if (reshape) {
    minus = without_last_axis(r, minus, rotary.nodes);
    plus = without_last_axis(r, plus, rotary.nodes);
    if (minus == DBK_NONE || plus == DBK_NONE) return std::nullopt;
  }
  if (!read_parts(r, minus, plus, rotary) || !r.extents().same_shape(turned, rotary.x)) return std::nullopt;
  rotary.nodes.push_back(join);
  if (reshape) rotary.nodes.push_back(reshape);
  return rotary;
}

bool match(Rewriter& r, const Node& add, const Node& straight, const Node& turned) {
  for (size_t i : {0u, 1u}) {
    auto rotary = read_turned(r, turned.inputs[i]);
    if (!rotary || (straight.inputs[0] != rotary->x && straight.inputs[1] != rotary->x)) continue;
    const ValueId x = rotary->x, cos = other_operand(straight, x), sin = turned.inputs[1 - i];
    if (!contains(FLOATS, r.type(x).dtype)) return false;
    if (!r.extents().broadcasts_to(cos, x) || !r.extents().broadcasts_to(sin, x))
      return r.miss(add, "cos and sin are not known to broadcast to what they rotate"), true;
    std::vector<const Node*> nodes = std::move(rotary->nodes);
    nodes.insert(nodes.end(), {&straight, &turned, &add});
    Attributes attrs;
    attrs.set("interleaved", int64_t{rotary->interleaved});
    r.replace(std::move(nodes), Rewriter::make("Rotary", {x, cos, sin}, add.outputs, std::move(attrs), "ai.daybreak"));
    return true;
  }
  return false;
}

}  // namespace

void match_rotary(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i) {
    const Node* add = r.at(i);
    if (!is_op(add, "Add")) continue;
    const Node *a = r.producer(add->inputs[0], "Mul"), *b = r.producer(add->inputs[1], "Mul");
    if (a && b && a != b && !match(r, *add, *a, *b)) match(r, *add, *b, *a);
  }
}

}  // namespace dbk
