// Compile option `host_ops`: operators that GPUs leave to the host because the caller says so.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// Marks the nodes of the graph and of all bodies whose op is listed: "Softmax, com.microsoft.MatMulNBits". To be called before normalize.
// Throws INVALID_ARGUMENT for a name that no op has.
void keep_on_host(Graph& graph, std::string_view ops);

}  // namespace dbk
