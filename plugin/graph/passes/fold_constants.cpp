// Inference has evaluated small results already. They are the same in every run only where they come from constants; what comes
// from shapes may differ with the extents of a run.
#include "plugin/graph/passes/passes.h"

namespace dbk {

void fold_constants(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i) {
    const Node* node = r.at(i);
    if (!node || !node->op || node->inputs.empty() || !is_pure(*node)) continue;
    const bool from_constants = std::ranges::all_of(node->inputs, [&](ValueId v) { return v == DBK_NONE || r.constant(v); });
    const bool evaluated = std::ranges::all_of(node->outputs, [&](ValueId v) { return v == DBK_NONE || r.types().known[v]; });
    if (from_constants && evaluated) r.to_constant(*node);
  }
}

}  // namespace dbk
