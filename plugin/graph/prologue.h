// Questions about a graph's prologue, the nodes that compute weights from weights.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// By value: made by the prologue and read outside of it.
std::vector<bool> prepared_values_read(const Graph& graph);

// By value: memory that weights hold for good. Parameters and constants as they came, and what the prologue adds; its
// views add nothing.
std::vector<bool> weights_with_memory(const Graph& graph);

}  // namespace dbk
