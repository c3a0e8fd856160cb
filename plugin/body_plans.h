// Placement and plans of a graph and, where they are known by then, of the bodies inside it.
#pragma once

#include "plugin/device.h"

namespace dbk {

// Where a device would run a node, apart from what is late.
Placement place_node(Device& device, const Graph& graph, const Node& node, const Types& types);

// Adds to a plan the plans of its bodies. Adds a cause for every node inside that has no code, or is not on the device although `require_gpu`.
void plan_bodies(Device& device, const Graph& graph, Plan& plan, bool require_gpu, std::vector<Cause>& refused);

// Adds a cause for every node that has to run on the host but has no code for it, or that the policy forbids there.
void check_host_nodes(Device& device, const Graph& graph, const Types& types, const std::vector<Placement>& placement, bool require_gpu,
                      std::vector<Cause>& refused);

}  // namespace dbk
