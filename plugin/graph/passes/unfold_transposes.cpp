// Exporters swap the last two axes of a tensor of any rank by way of three: [a, b, m, n] -> [a b, m, n] -> [a b, n, m]
// -> [a, b, n, m]. That is one Transpose.
#include <algorithm>
#include <numeric>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// Whether the Reshapes are asked for [-1, m, n] and [a, b, n, m], by numbers that are the same in every run.
//
// A number that turns out to be 0 copies another extent. m stands behind the three axes that there are to copy, which is refused; the
// first batch extent copies that of the folded batch, which is 0 too; of all others it has to be known that they are not 0.
bool asks_for_swap(const Rewriter& r, const std::vector<Extent>& from, const Node& fold, const Node& back) {
  const std::vector<Extent>*folded = r.extents().elements(fold.inputs[1]), *to = r.extents().elements(back.inputs[1]);
  const size_t rank = from.size();
  if (!folded || !to || rank < 4 || folded->size() != 3 || to->size() != rank) return false;
  const Extent m = from[rank - 2], n = from[rank - 1];
  if (!r.extents().is((*folded)[0], -1) || (*folded)[1] != m || (*folded)[2] != n || (*to)[rank - 2] != n || (*to)[rank - 1] != m) return false;
  const auto positive = [&](Extent e) { return r.extents().constant(e).value_or(0) > 0; };
  return std::equal(from.begin(), from.end() - 2, to->begin()) && std::all_of(from.begin() + 1, from.end() - 2, positive) && positive(n);
}

// The same by the shapes that they give.
bool swaps_batches(const Rewriter& r, const std::vector<Extent>& from, ValueId between, ValueId y) {
  if (!r.typed(between) || !r.typed(y)) return false;
  const std::vector<Extent>&folded = r.extents().of(between), &to = r.extents().of(y);
  const size_t rank = from.size();
  if (to.size() != rank || from[rank - 2] != folded[1] || from[rank - 1] != folded[2]) return false;
  return std::equal(from.begin(), from.end() - 2, to.begin()) && to[rank - 2] == folded[2] && to[rank - 1] == folded[1];
}

void unfold(Rewriter& r, const Node& swap) {
  const Node* fold = r.producer(swap.inputs[0], "Reshape");
  const Node* back = r.sole_reader(swap.outputs[0]);
  if (!fold || !is_op(back, "Reshape") || back->inputs[0] != swap.outputs[0]) return;
  const ValueId x = fold->inputs[0], y = back->outputs[0];
  if (!r.typed(x) || r.rank(x) < 3) return;
  const std::vector<Extent>& from = r.extents().of(x);
  const size_t rank = from.size();
  const bool zeros = fold->attrs.integer_or("allowzero", 0) || back->attrs.integer_or("allowzero", 0);
  if (!swaps_batches(r, from, swap.inputs[0], y) && (zeros || !asks_for_swap(r, from, *fold, *back))) return;
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
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); r.permutes(node, {0, 2, 1})) unfold(r, *node);
}

}  // namespace dbk
