// The graph of a caller as compile and check begin with it.
#pragma once

#include "plugin/graph/graph.h"
#include "plugin/options.h"

namespace dbk {

// Reads the tables, marks what the compile options leave to the host, writes composite ops as others. Throws INVALID_ARGUMENT naming every
// culprit.
Graph given_graph(const dbk_graph& tables, const Options& options);

}  // namespace dbk
