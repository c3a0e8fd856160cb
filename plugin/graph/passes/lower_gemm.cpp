// Gemm with a weight, and numbers for its columns added, is MatMul and Add. Written so, other passes see it as one of several products of
// one input, or as a product that is taken apart; and Reshapes that only flatten axes for it, which Gemm wants to be two, go.
#include <algorithm>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

bool is_turned(const Node& gemm) { return gemm.attrs.integer("transB") != 0; }
ValueId added(const Node& gemm) { return gemm.inputs.size() > 2 ? gemm.inputs[2] : DBK_NONE; }

int64_t columns_of(const Rewriter& r, const Node& gemm) { return r.type(gemm.inputs[1]).shape[is_turned(gemm) ? 0 : 1]; }

bool can_lower(const Rewriter& r, const Node& gemm) {
  const ValueId x = gemm.inputs[0], weight = gemm.inputs[1], c = added(gemm);
  if (!r.typed(x) || !contains(F32 | F16, r.type(x).dtype) || !r.is_weight(weight) || r.rank(weight) != 2) return false;
  if (gemm.attrs.integer("transA") != 0 || gemm.attrs.real("alpha") != 1) return false;
  if (c == DBK_NONE) return true;
  if (gemm.attrs.real("beta") != 1 || !r.is_weight(c)) return false;
  const Shape &shape = r.type(c).shape, row{columns_of(r, gemm)};
  return shape == row || shape == Shape{1, row[0]};
}

bool is_product_with_weight(const Rewriter& r, const Node* node, ValueId x) {
  return (is_op(node, "MatMul") || is_op(node, "Gemm")) && node->inputs[0] == x && r.is_weight(node->inputs[1]);
}

// Also behind a Reshape.
bool is_taken_apart(const Rewriter& r, ValueId v, bool reshaped = false) {
  return std::ranges::any_of(r.readers(v), [&](const Node* reader) {
    if (reader->inputs[0] != v) return false;
    return is_op(reader, "Split") || is_op(reader, "Slice") || (!reshaped && is_op(reader, "Reshape") && is_taken_apart(r, reader->outputs[0], true));
  });
}

// What the Reshape in front of a Gemm flattens, where every reader brings the axes back; else DBK_NONE.
ValueId flattened(const Rewriter& r, const Node& gemm) {
  const Node* reshape = r.producer(gemm.inputs[0], "Reshape");
  if (!reshape || !r.typed(reshape->inputs[0]) || r.visible(gemm.outputs[0])) return DBK_NONE;
  const std::vector<Extent>& x = r.extents().of(reshape->inputs[0]);
  if (x.size() < 3 || x.back() != r.extents().dim(gemm.inputs[0], 1)) return DBK_NONE;
  const auto restores = [&](const Node* reader) {
    if (!is_op(reader, "Reshape") || reader->inputs[0] != gemm.outputs[0] || !r.typed(reader->outputs[0])) return false;
    const std::vector<Extent>& y = r.extents().of(reader->outputs[0]);
    return y.size() >= x.size() && std::equal(x.begin(), x.end() - 1, y.begin());
  };
  return std::ranges::all_of(r.readers(gemm.outputs[0]), restores) ? reshape->inputs[0] : DBK_NONE;
}

// A weight turned for good takes memory, so it takes more than Reshapes that go. BatchNormalization wants to go into a Gemm.
bool is_worth_it(const Rewriter& r, const Node& gemm) {
  if (is_op(r.sole_reader(gemm.outputs[0]), "BatchNormalization")) return false;
  const auto shares = [&](const Node* other) { return other != &gemm && is_product_with_weight(r, other, gemm.inputs[0]); };
  return (!is_turned(gemm) && flattened(r, gemm) != DBK_NONE) || is_taken_apart(r, gemm.outputs[0]) || std::ranges::any_of(r.readers(gemm.inputs[0]), shares);
}

ValueId straight_weight(Rewriter& r, const Node& gemm) {
  if (!is_turned(gemm)) return gemm.inputs[1];
  const TensorType& type = r.type(gemm.inputs[1]);
  const ValueId turned = r.add_value({type.dtype, {type.shape[1], type.shape[0]}});
  Attributes attrs;
  attrs.set("perm", std::vector<int64_t>{1, 0});
  return r.insert(Rewriter::make("Transpose", {gemm.inputs[1]}, {turned}, std::move(attrs)), gemm)->outputs[0];
}

// One number for each column, along one axis.
ValueId bias_of(Rewriter& r, const Node& gemm) {
  const ValueId c = added(gemm);
  if (r.rank(c) == 1) return c;
  const int64_t columns = columns_of(r, gemm);
  Attributes attrs;
  attrs.set("allowzero", int64_t{1});  // there may be no columns
  const ValueId flat = r.add_value({r.type(c).dtype, {columns}});
  return r.insert(Rewriter::make("Reshape", {c, r.add_integers({columns})}, {flat}, std::move(attrs)), gemm)->outputs[0];
}

// Readers of what a flattened Gemm gave read the same with all its axes.
void read_whole(Rewriter& r, ValueId flat, ValueId whole, const std::vector<Extent>& extents) {
  const std::vector<const Node*> readers = r.readers(flat);
  for (const Node* reshape : readers) {
    const bool same = r.extents().of(reshape->outputs[0]) == extents;
    if (!same || !r.bypass(*reshape, reshape->outputs[0], whole)) r.set_input(*reshape, 0, whole);
  }
}

void lower(Rewriter& r, const Node& gemm) {
  const ValueId whole = flattened(r, gemm), flat = gemm.outputs[0];
  const bool unflattens = whole != DBK_NONE;
  std::vector<Extent> extents;
  if (unflattens) extents = r.extents().of(whole), extents.back() = r.extents().dim(flat, 1);
  const DType dtype = r.type(flat).dtype;
  const ValueId y = unflattens ? r.add_value({dtype, {}}) : flat;
  if (unflattens) read_whole(r, flat, y, extents);
  const std::vector<ValueId> factors{unflattens ? whole : gemm.inputs[0], straight_weight(r, gemm)};
  if (added(gemm) == DBK_NONE) {
    r.replace({&gemm}, Rewriter::make("MatMul", factors, {y}));
    return;
  }
  const ValueId product = r.add_value({dtype, {}});
  r.insert(Rewriter::make("MatMul", factors, {product}), gemm);
  r.replace({&gemm}, Rewriter::make("Add", {product, bias_of(r, gemm)}, {y}));
}

}  // namespace

void lower_gemm(Rewriter& r) {
  std::vector<const Node*> list;  // all of them first: those that share an input do so no more once some have changed
  for (size_t i = 0; i < r.count(); ++i)
    if (const Node* node = r.at(i); is_op(node, "Gemm") && can_lower(r, *node) && is_worth_it(r, *node)) list.push_back(node);
  for (const Node* gemm : list) lower(r, *gemm);
}

}  // namespace dbk
