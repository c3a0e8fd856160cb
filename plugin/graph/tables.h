// The caller's tables -> a checked Graph.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// Throws an Error that lists every culprit found: INVALID_ARGUMENT for what is wrong, UNIMPLEMENTED for what is valid but newer or
// larger than this plugin knows. Ops without a row are not an error here (Node::op is null): `check` reports them, compile refuses. Internal
// ops (Schema::internal) are among them unless `internal_ops`.
Graph read_tables(const dbk_graph& tables, bool internal_ops);

}  // namespace dbk
