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

}  // namespace

bool is_last_axis(const Rewriter& r, int64_t axis, ValueId v) { return axis == -1 || axis == static_cast<int64_t>(r.rank(v)) - 1; }

std::optional<Part> read_part(const Rewriter& r, ValueId v) {
  const Node* node = r.producer(v);
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
