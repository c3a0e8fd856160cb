// What no device of this build can do. Used by compile, which refuses, and by check, which reports.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

// Ops without a row, and values that are no tensors of a dtype with memory of its own. Each cause names its node or value.
std::vector<Cause> unsupported(const Graph& graph);

// Empty where the node's host function has code for its main operand's dtype, as far as that is known, else why not.
std::string missing_host_code(const Node& node, const Types& types);

}  // namespace dbk
