// Rotary position embedding as exporters write it out: x cos + turned(x) sin, where turned(x) cuts the last axis of x in two, halves or
// every second element, and joins (-second, first) again. One node ai.daybreak.Rotary.
#include <algorithm>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

struct Rotary {
  ValueId x = DBK_NONE;
  bool interleaved = false;
  std::vector<const Node*> nodes;  // in order
};

// A part of the last axis of x: elements first, first + step ... before end.
struct Part {
  ValueId x = DBK_NONE;
  int64_t first = 0, end = 0, step = 1;
  const Node* node = nullptr;
};

// The only element of a constant operand, or `otherwise` where there is no such operand.
std::optional<int64_t> single(const Rewriter& r, const Node& node, size_t input, std::optional<int64_t> otherwise = std::nullopt) {
  if (input >= node.inputs.size() || node.inputs[input] == DBK_NONE) return otherwise;
  const auto list = r.integers(node.inputs[input]);
  return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
}

bool is_last_axis(const Rewriter& r, int64_t axis, ValueId v) { return axis == -1 || axis == static_cast<int64_t>(r.rank(v)) - 1; }

std::optional<Part> read_slice(const Rewriter& r, const Node& slice, int64_t size) {
  const auto first = single(r, slice, 1), end = single(r, slice, 2), axis = single(r, slice, 3, 0), step = single(r, slice, 4, 1);
  if (!first || !end || !axis || !step || *first < 0 || *end < 0 || *step < 1 || !is_last_axis(r, *axis, slice.inputs[0])) return std::nullopt;
  return Part{slice.inputs[0], *first, std::min(*end, size), *step, &slice};
}

std::optional<Part> read_split(const Rewriter& r, const Node& split, ValueId v, int64_t size) {
  if (split.outputs.size() != 2 || !is_last_axis(r, split.attrs.integer_or("axis", 0), split.inputs[0])) return std::nullopt;
  for (ValueId out : split.outputs)
    if (!r.typed(out) || !r.extents().is(r.extents().dim(out, -1), size / 2)) return std::nullopt;
  const int64_t first = v == split.outputs[0] ? 0 : size / 2;
  return Part{split.inputs[0], first, first + size / 2, 1, &split};
}

std::optional<Part> read_part(const Rewriter& r, ValueId v) {
  const Node* node = r.producer(v);
  if (!is_op(node, "Slice") && !is_op(node, "Split")) return std::nullopt;
  const ValueId x = node->inputs[0];
  const auto size = r.typed(x) && r.rank(x) > 0 ? r.extents().constant(r.extents().dim(x, -1)) : std::nullopt;
  if (!size || *size % 2 != 0) return std::nullopt;
  return node->op_name == "Slice" ? (node->inputs.size() > 2 ? read_slice(r, *node, *size) : std::nullopt) : read_split(r, *node, v, *size);
}

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
  if (!first || !second || first->x != second->x || first->step != second->step) return false;
  const int64_t size = *r.extents().constant(r.extents().dim(first->x, -1));
  const bool halves = first->step == 1 && first->first == 0 && first->end == size / 2 && second->first == size / 2 && second->end == size;
  const bool neighbours = first->step == 2 && first->first == 0 && first->end >= size - 1 && second->first == 1 && second->end == size;
  if (rotary.interleaved ? !neighbours : !halves) return false;
  rotary.x = first->x;
  rotary.nodes.insert(rotary.nodes.begin(), second->node);
  if (first->node != second->node) rotary.nodes.insert(rotary.nodes.begin(), first->node);
  return true;
}

// v behind an Unsqueeze that adds a last axis.
ValueId without_last_axis(const Rewriter& r, ValueId v, std::vector<const Node*>& nodes) {
  const Node* node = r.producer(v, "Unsqueeze");
  if (!node || !r.typed(v)) return DBK_NONE;
  const auto axis = node->attrs.has("axes") && node->attrs.integers("axes").size() == 1 ? std::optional(node->attrs.integers("axes")[0])
                                                                                        : single(r, *node, 1);
  if (!axis || !is_last_axis(r, *axis, v)) return DBK_NONE;
  nodes.push_back(node);
  return node->inputs[0];
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
