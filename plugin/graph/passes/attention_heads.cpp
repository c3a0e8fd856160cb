#include "plugin/graph/passes/attention_heads.h"

namespace dbk {

ValueId without_scale(const Rewriter& r, ValueId v, double& scale, std::vector<const Node*>& nodes) {
  while (const auto scaled = r.scaled(r.producer(v))) {
    scale *= scaled->factor;
    nodes.insert(nodes.begin(), r.producer(v));
    v = scaled->value;
  }
  return v;
}

namespace {

// [b, s, c] -> [b, s, heads, size] -> Transpose; batch and positions stay, c is all heads side by side.
bool read_cut_heads(const Rewriter& r, ValueId v, const std::vector<int64_t>& perm, Heads& heads) {
  v = without_scale(r, v, heads.scale, heads.nodes);
  const Node* transpose = r.producer(v);
  const Node* reshape = r.permutes(transpose, perm) ? r.producer(transpose->inputs[0], "Reshape") : nullptr;
  if (!reshape || !r.typed(reshape->inputs[0]) || !r.typed(reshape->outputs[0])) return false;
  const std::vector<Extent>&from = r.extents().of(reshape->inputs[0]), &to = r.extents().of(reshape->outputs[0]);
  if (from.size() != 3 || to.size() != 4 || from[0] != to[0] || from[1] != to[1]) return false;
  const auto columns = r.extents().constant(from[2]), count = r.extents().constant(to[2]),
             size = r.extents().constant(to[3]);
  if (!columns || !count || !size || *count < 1 || *size < 1 || *count * *size != *columns) return false;
  heads.value = reshape->inputs[0];
  heads.count = *count;
  heads.size = *size;
  heads.nodes.insert(heads.nodes.begin(), {reshape, transpose});
  return true;
}

// Heads of keys or values that are repeated for those of the queries, [b, shared, s, size] -> [b, shared, 1, s, size] -> [b, shared, n, s, size]
// -> [b, shared * n, s, size]: attention shares them itself. What is repeated, or v where nothing is.
ValueId without_repeats(const Rewriter& r, ValueId v, std::vector<const Node*>& nodes) {
  const Node *merge = r.producer(v, "Reshape"), *expand = merge ? r.producer(merge->inputs[0], "Expand") : nullptr;
  const Node* open = expand ? r.producer(expand->inputs[0]) : nullptr;
  if ((!is_op(open, "Unsqueeze") && !is_op(open, "Reshape")) || !r.typed(open->inputs[0]) || !r.typed(open->outputs[0]) || !r.typed(expand->outputs[0])) return v;
  const std::vector<Extent>&from = r.extents().of(open->inputs[0]), &one = r.extents().of(open->outputs[0]), &many = r.extents().of(expand->outputs[0]),
                           &to = r.extents().of(v);
  if (from.size() != 4 || one.size() != 5 || many.size() != 5 || to.size() != 4 || !r.extents().is(one[2], 1)) return v;
  const auto same = [&](const std::vector<Extent>& axes) { return axes[0] == from[0] && axes[1] == from[1] && axes[3] == from[2] && axes[4] == from[3]; };
  const auto shared = r.extents().constant(from[1]), times = r.extents().constant(many[2]);
  const bool merged = to[0] == from[0] && shared && times && r.extents().is(to[1], *shared * *times) && to[2] == from[2] && to[3] == from[3];
  if (!same(one) || !same(many) || !merged) return v;
  nodes.insert(nodes.begin(), {open, expand, merge});
  return open->inputs[0];
}

// [b, heads, s, size], for keys with the last two axes swapped behind it.
bool read_own_axis(const Rewriter& r, ValueId v, bool swapped, Heads& heads) {
  v = without_scale(r, v, heads.scale, heads.nodes);
  if (swapped) {
    const Node* transpose = r.producer(v);
    if (!r.permutes(transpose, {0, 1, 3, 2})) return false;
    heads.nodes.insert(heads.nodes.begin(), transpose);
    v = without_scale(r, transpose->inputs[0], heads.scale, heads.nodes);
  }
  if (!r.typed(v) || r.rank(v) != 4) return false;
  v = without_repeats(r, v, heads.nodes);
  Heads cut = heads;
  if (read_cut_heads(r, v, {0, 2, 1, 3}, cut)) return heads = std::move(cut), true;
  const auto count = r.extents().constant(r.extents().dim(v, 1)), size = r.extents().constant(r.extents().dim(v, 3));
  if (!count || !size || *count < 1 || *size < 1) return false;
  heads.value = v;
  heads.count = *count;
  heads.size = *size;
  return true;
}

}  // namespace

bool read_heads(const Rewriter& r, ValueId v, bool swapped, Heads& heads) {
  const std::vector<int64_t> perm = swapped ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3};
  if (read_cut_heads(r, v, perm, heads)) return true;
  heads = {};
  return read_own_axis(r, v, swapped, heads);
}

}  // namespace dbk
