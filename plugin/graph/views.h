// Nodes that move nothing in a plan: their output is memory of their input. Some ops are views by nature (Reshape, Identity). Others
// (Slice) are where their output is one run of the input's elements that the device can address, which depends on the extents; so
// the answer belongs to a plan, not to the graph.
#pragma once

#include "plugin/graph/plan.h"

namespace dbk {

// The memory that shows a value: that of `root`, from byte `offset` on.
struct Shown {
  ValueId root;
  uint64_t offset = 0;
};

// By value id; a value with memory of its own is its own root. Steps of `placement` that are views in this plan become so; the reason of
// others that might have been says why they are not.
std::vector<Shown> find_views(const Graph& graph, const Types& types, const PlanRules& rules, std::vector<Placement>& placement);

}  // namespace dbk
