// Attention as exporters write it out: heads cut out of [batch, positions, columns] by Reshape and Transpose, scaled
// products of queries and keys, an optional mask, Softmax, the product with the values, and Transpose and Reshape back.
// One node ai.daybreak.Attention, which reads the heads where they lie: also in an axis of their own, where something else than the
// Transpose has made them (a rotation by position, a cache).
#include <algorithm>
#include <cmath>
#include <limits>

#include "plugin/graph/passes/attention_heads.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

struct Pattern {
  Heads q, k, v;
  ValueId mask = DBK_NONE, condition = DBK_NONE;  // added to the scores; or true where they count
  bool hides = false;                             // the condition is true where they do not count
  const Node* chooser = nullptr;                  // by the condition
  double masked_score = 0;                        // instead of those that do not
  double scale = 1;
  bool rows_zero = false;
  ValueId result = DBK_NONE;
  std::vector<const Node*> nodes;  // in order
};

// Scores that count where a condition holds and are one number elsewhere, whatever they would have been.
bool read_where(const Rewriter& r, const Node& where, Pattern& p, ValueId& scores) {
  p.hides = r.scalar(where.inputs[1]).has_value();
  const ValueId number = where.inputs[p.hides ? 1 : 2];
  const auto elsewhere = r.scalar(number);
  if (!elsewhere || !(*elsewhere < std::numeric_limits<double>::infinity()) || r.rank(number) > 4) return false;
  p.condition = where.inputs[0];
  p.chooser = &where;
  p.masked_score = *elsewhere;
  scores = where.inputs[p.hides ? 2 : 1];
  return true;
}

// softmax(scale * q k + mask), from its operand.
bool read_scores(const Rewriter& r, ValueId v, Pattern& p) {
  const Node* node = r.producer(v);
  ValueId scores = v;
  if (is_op(node, "Add")) {
    for (size_t i : {0u, 1u}) {
      double scale = 1;
      std::vector<const Node*> scaling;
      if (!r.producer(without_scale(r, node->inputs[i], scale, scaling), "MatMul")) continue;
      scores = node->inputs[i];
      p.mask = node->inputs[1 - i];
      break;
    }
    if (p.mask == DBK_NONE) return false;
    p.nodes.insert(p.nodes.begin(), node);
  } else if (is_op(node, "Where")) {
    if (!read_where(r, *node, p, scores)) return false;
    p.nodes.insert(p.nodes.begin(), node);
  }
  const ValueId whole = scores;
  const Node* product = r.producer(without_scale(r, scores, p.scale, p.nodes), "MatMul");
  if (!product || !read_heads(r, product->inputs[0], false, p.q) || !read_heads(r, product->inputs[1], true, p.k)) return false;
  p.nodes.insert(p.nodes.begin(), product);
  for (ValueId mask : {p.mask, p.condition})
    if (mask != DBK_NONE && (!r.typed(mask) || r.rank(mask) > 4 || !r.extents().broadcasts_to(mask, whole)))
      return false;
  return p.mask == DBK_NONE || r.type(p.mask).dtype == r.type(p.q.value).dtype;
}

// Where(IsNaN(p), 0, p), which recent exporters put behind Softmax.
ValueId skip_nan_guard(const Rewriter& r, ValueId p, Pattern& pattern) {
  for (const Node* reader : r.readers(p)) {
    if (!is_op(reader, "IsNaN")) continue;
    const Node* where = r.sole_reader(reader->outputs[0]);
    if (!is_op(where, "Where") || where->inputs[0] != reader->outputs[0] || r.scalar(where->inputs[1]) != 0 ||
        where->inputs[2] != p)
      continue;
    if (r.rank(where->inputs[1]) > r.rank(p)) continue;
    pattern.nodes.insert(pattern.nodes.end(), {reader, where});
    pattern.rows_zero = true;
    return where->outputs[0];
  }
  return p;
}

// The product with the values, and [b, heads, s, size] -> [b, s, heads, size] -> [b, s, columns].
bool read_result(const Rewriter& r, ValueId probabilities, Pattern& p) {
  const Node* product = r.sole_reader(probabilities);
  if (!is_op(product, "MatMul") || product->inputs[0] != probabilities ||
      !read_heads(r, product->inputs[1], false, p.v))
    return false;
  const Node* back = r.sole_reader(product->outputs[0]);
  const Node* reshape = r.permutes(back, {0, 2, 1, 3}) ? r.sole_reader(back->outputs[0]) : nullptr;
  if (!is_op(reshape, "Reshape") || reshape->inputs[0] != back->outputs[0] || !r.typed(reshape->outputs[0]))
    return false;
  p.nodes.insert(p.nodes.end(), {product, back, reshape});
  p.result = reshape->outputs[0];
  return true;
}

// Why the heads do not fit together in every run; empty where they do.
std::string misfit(const Rewriter& r, const Pattern& p) {
  const auto batch = [&](const Heads& heads) { return r.extents().dim(heads.value, 0); };
  const auto positions = [&](const Heads& heads) { return r.extents().dim(heads.value, r.rank(heads.value) == 4 ? 2 : 1); };
  const std::vector<Extent>& result = r.extents().of(p.result);
  if (p.q.count % p.k.count != 0 || p.k.count != p.v.count || p.q.size != p.k.size) return "queries, keys and values have different heads";
  if (batch(p.q) != batch(p.k) || batch(p.q) != batch(p.v)) return "the batch extents of queries, keys and values are not known to be equal";
  if (positions(p.k) != positions(p.v)) return "the numbers of keys and values are not known to be equal";
  if (result.size() != 3 || result[0] != batch(p.q) || result[1] != positions(p.q) || !r.extents().is(result[2], p.q.count * p.v.size))
    return "the result's shape is not known to be [batch, queries, columns]";
  return "";
}

Attributes attributes_of(const Pattern& p) {
  Attributes attrs;
  attrs.set("heads", p.q.count);
  attrs.set("kv_heads", p.k.count);
  attrs.set("head_size", p.q.size);
  attrs.set("v_head_size", p.v.size);
  attrs.set("scale", p.scale * p.q.scale * p.k.scale);
  attrs.set("masked_rows_zero", int64_t{p.rows_zero});
  if (p.condition != DBK_NONE && std::isfinite(p.masked_score)) attrs.set("masked_score", p.masked_score);
  return attrs;
}

// The opposite of a condition, where somebody has it.
ValueId opposite_of(const Rewriter& r, ValueId condition) {
  if (const Node* opposite = r.producer(condition, "Not")) return opposite->inputs[0];
  for (const Node* reader : r.readers(condition))
    if (is_op(reader, "Not")) return reader->outputs[0];
  return DBK_NONE;
}

// Of what brings heads into place, what nobody else reads: turned keys that are also a cache stay in an axis of their own for it.
void absorb(const Rewriter& r, const Heads& heads, std::vector<const Node*>& absorbed) {
  for (size_t i = heads.nodes.size(); i-- > 0;) {
    const Node* node = heads.nodes[i];
    const auto goes = [&](const Node* reader) { return std::ranges::find(absorbed, reader) != absorbed.end(); };
    const bool alone = std::ranges::all_of(node->outputs, [&](ValueId v) { return !r.visible(v) && std::ranges::all_of(r.readers(v), goes); });
    if (alone && !goes(node)) absorbed.insert(absorbed.begin(), node);
  }
}

void match(Rewriter& r, const Node& softmax) {
  const ValueId scores = softmax.inputs[0];
  if (!r.typed(scores) || r.rank(scores) != 4) return;
  const int64_t axis = softmax.attrs.integer_or("axis", softmax.version < 13 ? 1 : -1);
  if (axis != -1 && axis != 3) return;
  Pattern p;
  if (!read_scores(r, scores, p)) return;
  p.nodes.push_back(&softmax);
  if (!read_result(r, skip_nan_guard(r, softmax.outputs[0], p), p) || p.v.scale != 1) return;
  if (std::string why = misfit(r, p); !why.empty()) return r.miss(softmax, std::move(why));
  if (!contains(F32 | F16, r.type(p.q.value).dtype)) return;
  std::vector<const Node*> absorbed = p.nodes;
  for (const Heads* heads : {&p.q, &p.k, &p.v}) absorb(r, *heads, absorbed);
  std::vector<ValueId> inputs{p.q.value, p.k.value, p.v.value};
  if (p.mask != DBK_NONE) inputs.push_back(p.mask);
  ValueId kept = p.hides ? opposite_of(r, p.condition) : p.condition;
  const bool negates = p.hides && kept == DBK_NONE;
  if (negates) kept = r.add_value(r.type(p.condition));
  if (kept != DBK_NONE) inputs.push_back(kept);
  if (!r.replace(std::move(absorbed), Rewriter::make("Attention", inputs, {p.result}, attributes_of(p), "ai.daybreak"))) return;
  if (negates) r.insert(Rewriter::make("Not", {p.condition}, {kept}), *p.chooser);
}

}  // namespace

void match_attention(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i)
    if (const Node* node = r.at(i); is_op(node, "Softmax")) match(r, *node);
}

}  // namespace dbk
