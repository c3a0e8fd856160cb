// Order and visibility in a graph: every value is made once, and used only after it was made, in its block or one around it.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// Adds a cause for each violation. `graph` has valid references already.
void check_scopes(const Graph& graph, std::vector<Cause>& causes);

}  // namespace dbk
