// Extents of what the ops of the attention family give. Of caches that they hand on, nothing is known but the rank.
#include "host_fallback/attention_geometry.h"
#include "plugin/graph/extent_rules.h"

namespace dbk {

// ai.daybreak.Attention: [batch, queries, columns].
bool ExtentRules::attention(const Node& node) {
  if (node.domain != "ai.daybreak") return onnx_attention(node);
  const Dims &q = dims(node.inputs[0]), &k = dims(node.inputs[1]), &v = dims(node.inputs[2]);
  const int64_t columns = node.attrs.integer("heads") * node.attrs.integer("v_head_size");
  Extent batch = table_.broadcast(q[0], table_.broadcast(k[0], v[0]));
  if (node.inputs.size() > 3 && node.inputs[3] != DBK_NONE && dims(node.inputs[3]).size() == 4)
    batch = table_.broadcast(batch, dims(node.inputs[3])[0]);
  return set(node.outputs[0], {batch, q[q.size() - 2], table_.constant(columns)});
}

// Columns of operand i of [batch, rows, columns], all of them or a window.
Extent ExtentRules::attention_columns(const Node& node, size_t i) {
  return node.attrs.has(kAttentionWindows) ? table_.constant(node.attrs.integers(kAttentionWindows)[2 * i + 1]) : dims(node.inputs[i])[2];
}

// [batch, heads, queries, size], or heads side by side.
bool ExtentRules::onnx_attention(const Node& node) {
  const Dims &q = dims(node.inputs[0]), &v = dims(node.inputs[2]);
  if (q.size() != v.size()) return false;
  if (q.size() == 4) return set(node.outputs[0], {q[0], q[1], q[2], v[3]});
  if (q.size() != 3) return false;
  const Extent heads = table_.constant(node.attrs.integer_or("q_num_heads", 0)), shared = table_.constant(node.attrs.integer_or("kv_num_heads", 0));
  const Extent columns = heads == shared ? attention_columns(node, 2) : table_.product({heads, table_.quotient(attention_columns(node, 2), shared)});
  return set(node.outputs[0], {q[0], q[1], columns});
}

// [batch, queries, columns of the values]. Queries may have five axes, with keys and values among them.
bool ExtentRules::multi_head_attention(const Node& node) {
  const Dims& q = dims(node.inputs[0]);
  const Extent heads = table_.constant(node.attrs.integer("num_heads"));
  if (q.size() == 5) return set(node.outputs[0], {q[0], q[1], table_.product({heads, q[4]})});
  if (q.size() != 3) return false;
  if (node.inputs.size() < 3 || node.inputs[2] == DBK_NONE) return set(node.outputs[0], {q[0], q[1], q[2]});
  const Dims& v = dims(node.inputs[2]);
  if (v.size() != 3 && v.size() != 4) return false;
  return set(node.outputs[0], {q[0], q[1], v.size() == 3 ? attention_columns(node, 2) : table_.product({heads, v[3]})});
}

// [batch, queries, columns]. Without keys, queries have keys and values beside them.
bool ExtentRules::group_query_attention(const Node& node) {
  const Dims& q = dims(node.inputs[0]);
  if (q.size() != 3) return false;
  if (node.inputs[1] != DBK_NONE) return set(node.outputs[0], {q[0], q[1], q[2]});
  const int64_t heads = node.attrs.integer("num_heads"), all = heads + 2 * node.attrs.integer("kv_num_heads");
  return set(node.outputs[0], {q[0], q[1], table_.product({table_.constant(heads), table_.quotient(q[2], table_.constant(all))})});
}

}  // namespace dbk
