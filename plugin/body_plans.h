// Placement and plans of a graph and, where they are known by then, of the bodies inside it: the one answer for compile, bind and check.
#pragma once

#include "plugin/device.h"

namespace dbk {

// Where a device would run a node, apart from what is late. `types` is null where none are known. A node without an op is the host's.
Placement place_node(Device& device, const Graph& graph, const Node& node, const Types* types);

// The same of every node of the main block.
std::vector<Placement> place_nodes(Device& device, const Graph& graph, const Types& types);

// The plan of a graph, with the plans of its bodies. Adds a cause for every node, those in bodies included, that has no code where it is to
// run, or that is not on the device although `require_gpu`; not for nodes of branches that only binding chooses.
Plan plan_graph(Device& device, const Graph& graph, const Types& types, std::vector<Placement> placement, bool require_gpu,
                std::vector<Cause>& refused, const Plan* frame = nullptr);

}  // namespace dbk
