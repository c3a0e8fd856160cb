// Ranks and extents across the border of bodies: what is known of the inputs of a body of If, Loop or Scan in every run and iteration, and
// from that of its outputs.
#pragma once

#include "plugin/graph/extents.h"

namespace dbk {

struct BodyExtents {
  std::vector<Extents::KnownDims> inputs;   // formal and captured
  std::vector<Extents::KnownDims> outputs;  // none where a state may change its rank
};

// `extents` of the graph around, as far as the node's operands; `types` of the body (bodies_of) as inference found them.
BodyExtents body_extents(const Graph& graph, const Node& node, size_t body, const Types& types, const Extents& extents);

}  // namespace dbk
