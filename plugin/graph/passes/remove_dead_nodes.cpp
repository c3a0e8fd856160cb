#include "plugin/graph/passes/passes.h"

namespace dbk {

void remove_dead_nodes(Rewriter& r) {
  for (size_t i = r.count(); i-- > 0;) {
    const Node* node = r.at(i);
    const auto unread = [&](ValueId v) { return v == DBK_NONE || (!r.visible(v) && r.readers(v).empty()); };
    if (node && std::ranges::all_of(node->outputs, unread)) r.remove(*node);
  }
}

}  // namespace dbk
