// What compile does to a graph between inference and placement.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

struct PassOptions {
  bool fuses;    // into fewer and faster nodes
  bool for_gpu;  // into nodes that GPUs have kernels for
  bool has_f16;  // else the host computes nodes of f16, which leave others alone
  ProjectionAdvisor projections;  // where it fuses
};

// Rewrites the graph into nodes with the same results, and infers anew. Which nodes went where is recorded in Graph::rewrites, what was
// nearly possible in Graph::misses.
void compile_passes(Graph& graph, Types& types, const PassOptions& passes);

}  // namespace dbk
