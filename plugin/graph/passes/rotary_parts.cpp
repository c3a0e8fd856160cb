#include "plugin/graph/passes/rotary_parts.h"

#include <algorithm>

namespace dbk {

namespace {

// The only element of a constant operand, or `otherwise` where there is no such operand.
std::optional<int64_t> single(const Rewriter& r, const Node& node, size_t input, std::optional<int64_t> otherwise = std::nullopt) {
  if (input >= node.inputs.size() || node.inputs[input] == DBK_NONE) return otherwise;
  const auto list = r.integers(node.inputs[input]);
  return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
}

std::optional<Part> read_slice(const Rewriter& r, const Node& slice, int64_t size) {
  auto first = single(r, slice, 1), end = single(r, slice, 2);
  const auto axis = single(r, slice, 3, 0), step = single(r, slice, 4, 1);
  for (auto* at : {&first, &end})
    if (*at && **at < 0) **at += size;  // counted from the end
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

// Which of the two elements of its operand's last axis a node takes, and the operand: Gather of one, or Squeeze of a result of Split.
std::optional<std::pair<int64_t, ValueId>> read_one_of_two(const Rewriter& r, const Node& node) {
  const ValueId from = node.inputs[0];
  if (!r.typed(from)) return std::nullopt;
  if (node.op_name == "Gather") {
    const auto index = r.rank(node.inputs[1]) == 0 ? single(r, node, 1) : std::nullopt;
    if (!index || *index < -2 || *index > 1 || !is_last_axis(r, node.attrs.integer_or("axis", 0), from)) return std::nullopt;
    return std::pair((*index + 2) % 2, from);
  }
  const Node* split = r.producer(from, "Split");
  const auto axes = r.axes_of(node);
  if (!split || split->outputs.size() != 2 || !is_last_axis(r, split->attrs.integer_or("axis", 0), from)) return std::nullopt;
  if (!axes || axes->size() != 1 || !is_last_axis(r, axes->front(), from)) return std::nullopt;
  return std::pair(int64_t{from == split->outputs[1]}, split->inputs[0]);
}

// Every second element, out of pairs that a Reshape has put into an axis of their own: [.., size] -> [.., size / 2, 2]. That one is left: where
// nobody reads it any more it goes.
std::optional<Part> read_paired(const Rewriter& r, const Node& node) {
  const auto one = read_one_of_two(r, node);
  const Node* pairs = one ? r.producer(one->second, "Reshape") : nullptr;
  if (!pairs || !r.typed(pairs->inputs[0]) || !r.typed(one->second)) return std::nullopt;
  const std::vector<Extent>&from = r.extents().of(pairs->inputs[0]), &to = r.extents().of(one->second);
  if (from.empty() || to.size() != from.size() + 1 || !std::equal(from.begin(), from.end() - 1, to.begin())) return std::nullopt;
  const auto size = r.extents().constant(from.back());
  if (!size || *size % 2 != 0 || !r.extents().is(to[from.size() - 1], *size / 2) || !r.extents().is(to.back(), 2)) return std::nullopt;
  return Part{pairs->inputs[0], one->first, *size, 2, &node};
}

}  // namespace

bool is_last_axis(const Rewriter& r, int64_t axis, ValueId v) { return axis == -1 || axis == static_cast<int64_t>(r.rank(v)) - 1; }

std::optional<Part> read_part(const Rewriter& r, ValueId v) {
  const Node* node = r.producer(v);
  if (is_op(node, "Gather") || is_op(node, "Squeeze")) return read_paired(r, *node);
  if (!is_op(node, "Slice") && !is_op(node, "Split")) return std::nullopt;
  const ValueId x = node->inputs[0];
  const auto size = r.typed(x) && r.rank(x) > 0 ? r.extents().constant(r.extents().dim(x, -1)) : std::nullopt;
  if (!size || *size % 2 != 0) return std::nullopt;
  return node->op_name == "Slice" ? (node->inputs.size() > 2 ? read_slice(r, *node, *size) : std::nullopt) : read_split(r, *node, v, *size);
}

bool is_pair(const Rewriter& r, const Part& first, const Part& second, bool interleaved) {
  if (first.x != second.x || first.step != second.step) return false;
  const int64_t size = *r.extents().constant(r.extents().dim(first.x, -1));
  if (interleaved) return first.step == 2 && first.first == 0 && first.end >= size - 1 && second.first == 1 && second.end == size;
  return first.step == 1 && first.first == 0 && first.end == size / 2 && second.first == size / 2 && second.end == size;
}

ValueId without_last_axis(const Rewriter& r, ValueId v, std::vector<const Node*>& nodes) {
  const Node* node = r.producer(v, "Unsqueeze");
  if (!node || !r.typed(v)) return DBK_NONE;
  const auto axes = r.axes_of(*node);
  if (!axes || axes->size() != 1 || !is_last_axis(r, axes->front(), v)) return DBK_NONE;
  nodes.push_back(node);
  return node->inputs[0];
}

}  // namespace dbk
