// ONNX's Attention over heads in an axis of their own, as exporters cut them: Reshape and Transpose in front of queries, keys and values, and
// both back behind the result. The op reads and writes heads side by side as well, so these go, and products are its operands.
#include <algorithm>

#include "plugin/graph/passes/attention_heads.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

struct Pattern {
  Heads operands[3];
  const Node *back = nullptr, *reshape = nullptr;  // [b, heads, s, size] -> [b, s, heads, size] -> [b, s, columns]
};

bool read_operands(const Rewriter& r, const Node& attention, Pattern& p) {
  for (size_t i = 0; i < 3; ++i)
    if (!read_heads(r, attention.inputs[i], false, p.operands[i]) || r.rank(p.operands[i].value) != 3 || p.operands[i].scale != 1) return false;
  return p.operands[1].count == p.operands[2].count;
}

bool read_result(const Rewriter& r, const Node& attention, Pattern& p) {
  if (attention.outputs[0] == DBK_NONE) return false;
  p.back = r.sole_reader(attention.outputs[0]);
  p.reshape = r.permutes(p.back, {0, 2, 1, 3}) ? r.sole_reader(p.back->outputs[0]) : nullptr;
  if (!is_op(p.reshape, "Reshape") || p.reshape->inputs[0] != p.back->outputs[0] || !r.typed(p.reshape->outputs[0])) return false;
  const std::vector<Extent>&result = r.extents().of(p.reshape->outputs[0]), &q = r.extents().of(p.operands[0].value);
  return result.size() == 3 && result[0] == q[0] && result[1] == q[1] && r.extents().is(result[2], p.operands[0].count * p.operands[2].size);
}

// Of what brings an operand into place, what nobody else reads.
void absorb(const Rewriter& r, const Heads& heads, const Node& attention, std::vector<const Node*>& absorbed) {
  const Node *reshape = heads.nodes[0], *transpose = heads.nodes[1];
  if (std::ranges::find(absorbed, transpose) != absorbed.end() || r.sole_reader(transpose->outputs[0]) != &attention) return;
  if (r.sole_reader(reshape->outputs[0]) == transpose) absorbed.push_back(reshape);
  absorbed.push_back(transpose);
}

void merge(Rewriter& r, const Node& attention) {
  Pattern p;
  if (!r.typed(attention.inputs[0]) || r.rank(attention.inputs[0]) != 4 || !read_operands(r, attention, p) || !read_result(r, attention, p)) return;
  std::vector<const Node*> absorbed;
  for (const Heads& heads : p.operands) absorb(r, heads, attention, absorbed);
  absorbed.insert(absorbed.end(), {&attention, p.back, p.reshape});
  Node made = attention;
  for (size_t i = 0; i < 3; ++i) made.inputs[i] = p.operands[i].value;
  made.outputs[0] = p.reshape->outputs[0];
  made.attrs = Rewriter::without(attention.attrs, "_num_heads");
  made.attrs.set("q_num_heads", p.operands[0].count);
  made.attrs.set("kv_num_heads", p.operands[1].count);
  r.replace(std::move(absorbed), std::move(made));
}

}  // namespace

void merge_heads(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); is_op(node, "Attention")) merge(r, *node);
}

}  // namespace dbk
