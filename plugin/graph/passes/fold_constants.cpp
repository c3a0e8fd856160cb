// Inference has evaluated small results already. They are the same in every run where they come from constants, or from
// extents that are; what comes from other extents may differ.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

bool same_in_every_run(const Rewriter& r, ValueId v) {
  const std::vector<Extent>* elements = r.extents().elements(v);
  return elements && std::ranges::all_of(*elements, [&](Extent e) { return r.extents().constant(e).has_value(); });
}

}  // namespace

void fold_constants(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i) {
    const Node* node = r.at(i);
    if (!node || !node->op || node->inputs.empty() || !is_pure(*node)) continue;
    const bool from_constants =
        std::ranges::all_of(node->inputs, [&](ValueId v) { return v == DBK_NONE || r.constant(v); });
    const bool constant = std::ranges::all_of(node->outputs, [&](ValueId v) {
      return v == DBK_NONE || (r.types().known[v] && (from_constants || same_in_every_run(r, v)));
    });
    if (constant) r.to_constant(*node);
  }
}

}  // namespace dbk
