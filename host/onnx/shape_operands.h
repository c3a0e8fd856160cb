// Which initialisers steer shapes (Reshape's shape, Slice's starts, Split's sizes ...), directly or through arithmetic
// on small integers. They are constants of the graph, because shapes are inferred from them.
#pragma once

#include <string>
#include <unordered_set>

#include "node_names.h"

namespace host {

// Names whose values the shapes of `nodes` and of their bodies depend on, as far as they can be followed without
// looking into functions.
std::unordered_set<std::string> shape_operands(const Nodes& nodes);

}  // namespace host
