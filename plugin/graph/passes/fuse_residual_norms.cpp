// A residual sum and the normalisation behind it become one node, which keeps the sum for whoever else reads it: the rows are
// then read once for both. Comes behind the epilogues, which take the sums they can.
#include <algorithm>

#include "plugin/graph/passes/element_region.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// The op of com.microsoft that adds first; empty where there is none.
std::string_view with_sum(const Node& norm) {
  if (is_op(&norm, "LayerNormalization")) return "SkipLayerNormalization";
  if (is_op(&norm, "RMSNormalization") || is_op(&norm, "SimplifiedLayerNormalization")) return "SkipSimplifiedLayerNormalization";
  return "";
}

// Over the last axis, with weights that lie along it and no statistics wanted.
bool normalizes_rows(const Rewriter& r, const Node& norm) {
  const ValueId x = norm.inputs[0];
  if (!r.typed(x) || r.rank(x) == 0 || !contains(F32 | F16, r.type(x).dtype)) return false;
  const int64_t axis = norm.attrs.integer_or("axis", -1);
  if (axis != -1 && axis != static_cast<int64_t>(r.rank(x)) - 1) return false;
  for (size_t i = 1; i < norm.outputs.size(); ++i)
    if (norm.outputs[i] != DBK_NONE) return false;
  const auto along_rows = [&](ValueId v) {
    return r.is_weight(v) && r.rank(v) == 1 && r.type(v).dtype == r.type(x).dtype && r.extents().is(r.extents().dim(x, -1), r.type(v).shape[0]);
  };
  for (size_t i = 1; i < norm.inputs.size(); ++i)
    if (norm.inputs[i] != DBK_NONE && !along_rows(norm.inputs[i])) return false;
  return true;
}

// An element-wise chain in front takes the sum in: then it costs no step of its own.
bool ends_a_chain(const Rewriter& r, const Node& add) {
  return std::ranges::any_of(add.inputs, [&](ValueId v) {
    const Node* maker = r.producer(v);
    return maker && r.sole_reader(v) == &add && is_element_step(r, *maker);
  });
}

void fuse(Rewriter& r, const Node& norm) {
  const ValueId sum = norm.inputs[0];
  const Node* add = r.producer(sum, "Add");
  if (!add || !normalizes_rows(r, norm) || ends_a_chain(r, *add)) return;
  for (ValueId v : add->inputs)
    if (!r.extents().same_shape(v, sum)) return r.miss(norm, "the operands of the sum are not known to have its shape");
  std::vector<ValueId> inputs{add->inputs[0], add->inputs[1], norm.inputs[1]}, outputs{norm.outputs[0]};
  if (norm.inputs.size() > 2 && norm.inputs[2] != DBK_NONE) inputs.push_back(norm.inputs[2]);
  if (r.sole_reader(sum) != &norm) outputs.insert(outputs.end(), {DBK_NONE, DBK_NONE, sum});
  Attributes attrs;
  attrs.set("epsilon", norm.attrs.real("epsilon"));
  r.replace({add, &norm}, Rewriter::make(with_sum(norm), std::move(inputs), std::move(outputs), std::move(attrs), "com.microsoft"));
}

}  // namespace

void fuse_residual_norms(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); node && !with_sum(*node).empty()) fuse(r, *node);
}

}  // namespace dbk
