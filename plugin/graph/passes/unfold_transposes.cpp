// Exporters swap the last two axes of a tensor of any rank by way of three: [a, b, m, n] -> [a b, m, n] -> [a b, n, m]
// -> [a, b, n, m]. That is one Transpose.
#include <algorithm>
#include <numeric>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

void unfold(Rewriter& r, const Node& swap) {
  const Node* fold = r.producer(swap.inputs[0], "Reshape");
  const Node* back = r.sole_reader(swap.outputs[0]);
  if (!fold || !is_op(back, "Reshape") || back->inputs[0] != swap.outputs[0]) return;
  const ValueId x = fold->inputs[0], y = back->outputs[0];
  if (!r.typed(x) || !r.typed(y) || !r.typed(swap.inputs[0])) return;
  const std::vector<Extent>&from = r.extents().of(x), &folded = r.extents().of(swap.inputs[0]), &to = r.extents().of(y);
  const size_t rank = from.size();
  if (rank < 3 || to.size() != rank || from[rank - 2] != folded[1] || from[rank - 1] != folded[2]) return;
  const bool unfolded =
      std::equal(from.begin(), from.end() - 2, to.begin()) && to[rank - 2] == folded[2] && to[rank - 1] == folded[1];
  if (!unfolded) return;
  std::vector<int64_t> perm(rank);
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[rank - 2], perm[rank - 1]);
  Attributes attrs;
  attrs.set("perm", perm);
  std::vector<const Node*> absorbed{&swap, back};
  if (r.sole_reader(swap.inputs[0]) == &swap) absorbed.insert(absorbed.begin(), fold);
  r.replace(std::move(absorbed), Rewriter::make("Transpose", {x}, {y}, std::move(attrs)));
}

}  // namespace

void unfold_transposes(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    const bool swaps = is_op(node, "Transpose") && node->attrs.has("perm") &&
                       node->attrs.integers("perm") == std::vector<int64_t>{0, 2, 1};
    if (swaps) unfold(r, *node);
  }
}

}  // namespace dbk
