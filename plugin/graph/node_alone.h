// A graph of one node of another graph, to be measured: its computed operands are inputs, its weights parameters without data.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

// `copies` nodes of the same operands, each with outputs of its own. Values of the node have the given types.
Graph node_alone(const Graph& graph, const Node& node, const Types& types, uint32_t copies);

}  // namespace dbk
