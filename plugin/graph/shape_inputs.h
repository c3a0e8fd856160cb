// Inputs whose elements decide shapes: they are read at bind.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// By position among the graph's inputs.
std::vector<bool> shape_inputs(const Graph& graph);

}  // namespace dbk
