// First pass over a checked graph: fewer kinds of nodes for everything that follows.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// Constant nodes become constants. Variadic Max, Min and Sum become chains of two-operand nodes; one operand becomes Identity, and so does
// Dropout outside of training. Composite ops (composites.h) become what they consist of. Nodes that draw random numbers get a seed where
// they have none. Bodies become graphs of their own, and branches that constants decide take the place of their If. Nodes keep
// the table index of the node they came from.
void normalize(Graph& graph);

}  // namespace dbk
