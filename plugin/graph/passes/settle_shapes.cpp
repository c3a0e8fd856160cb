// Reshape by extents that a graph computes, mostly with Shape, Gather and Concat, from the very value it reshapes:
// where each is a constant or the extent that is at its place already, the operand becomes a constant (0 copies an
// extent). Then only the Reshape reads the value.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

std::optional<std::vector<int64_t>> settled(const Rewriter& r, const Node& reshape) {
  const std::vector<Extent>* wanted = r.extents().elements(reshape.inputs[1]);
  if (!wanted || !r.typed(reshape.inputs[0])) return std::nullopt;
  const std::vector<Extent>& from = r.extents().of(reshape.inputs[0]);
  std::vector<int64_t> extents;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const auto constant = r.extents().constant((*wanted)[i]);
    if (constant)
      extents.push_back(*constant);
    else if (i < from.size() && from[i] == (*wanted)[i])
      extents.push_back(0);
    else
      return std::nullopt;
  }
  return extents;
}

}  // namespace

void settle_shapes(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    if (!is_op(node, "Reshape") || r.constant(node->inputs[1]) || node->attrs.integer_or("allowzero", 0)) continue;
    if (const auto extents = settled(r, *node)) r.set_input(*node, 1, r.add_integers(*extents));
  }
}

}  // namespace dbk
