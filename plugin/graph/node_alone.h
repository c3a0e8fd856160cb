// Graphs of nodes of another graph, to be measured: computed operands are inputs, weights parameters without data.
#pragma once

#include <span>

#include "plugin/graph/infer.h"

namespace dbk {

// `copies` nodes of the same computed operands, each with outputs of its own, and with weights of its own until those take what caches do
// not hold: in a model a weight comes from memory, too. Values of the node have the given types.
Graph node_alone(const Graph& graph, const Node& node, const Types& types, uint32_t copies);

// Several nodes, in an order in which they can run. What none of them reads is an output; what is known of
// elements at these types is a constant.
Graph nodes_alone(const Graph& graph, std::span<const Node* const> nodes, const Types& types);

}  // namespace dbk
