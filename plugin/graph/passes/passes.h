// The passes: each rewrites a graph in one way, in the file of its name. compile_passes.cpp has the order.
#pragma once

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// Nodes over constants alone, with small results, become constants.
void fold_constants(Rewriter& r);
// Nodes that only move their input on, or undo each other, go.
void remove_no_ops(Rewriter& r);
// Of nodes that compute the same from the same, one stays.
void share_equal_nodes(Rewriter& r);
// Nodes whose results nobody reads go.
void remove_dead_nodes(Rewriter& r);
// Nodes over weights alone move to the prologue: their results are weights.
void prepare_weights(Rewriter& r);

}  // namespace dbk
