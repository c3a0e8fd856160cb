// If, Loop and Scan: nodes with bodies. A body is a Graph of its own whose inputs are its formal ones and, behind them, the outer values
// it uses; the node has the same captured values as inputs behind those of its schema. So everything that looks at the inputs of nodes
// sees what bodies read, and a body can be inferred, planned and run by itself.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

enum class Control : uint8_t { None, If, Loop, Scan };

Control control_of(const Node& node);

// The rows of these ops: like kernels/ops.inc, but what they do is not a function of tensors. Null where the op is another.
const OpRow* find_control(std::string_view domain, std::string_view name);
std::span<const OpRow> all_controls();

// Bodies in the order in which types and runs list them: then and else, or the one body.
std::vector<uint32_t> bodies_of(const Node& node);

// What a Scan's attributes say, defaults filled in. Version 8 has a batch and lengths, and its axes are fixed.
struct ScanForm {
  bool batched = false;
  size_t first = 0, states = 0, scans = 0;                        // inputs: lengths (batched), states, scanned tensors
  std::vector<int64_t> axes, reversed, out_axes, out_reversed;    // by scanned input and by scanned output
  size_t formals() const { return first + states + scans; }
};
ScanForm scan_form(const Node& node, size_t outputs);

// Moves the blocks behind the first into graphs of their own (Graph::bodies). Checks arities: throws INVALID_ARGUMENT naming each node.
void separate_bodies(Graph& graph);

// Puts the branch into the place of every If of the main block whose condition is decided by constants and fixed extents alone.
void inline_decided_branches(Graph& graph);

}  // namespace dbk
