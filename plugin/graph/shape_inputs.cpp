#include "plugin/graph/shape_inputs.h"

#include <algorithm>

#include "plugin/graph/control.h"

namespace dbk {

namespace {

// Values whose elements binding can tell: made of constants and of inputs that hold integers or bools, as shapes are. Parameters may be
// replaced, and a network is not evaluated to learn a shape.
std::vector<bool> tellable_by_binding(const Graph& graph) {
  std::vector<bool> tellable(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) tellable[v] = graph.values[v].origin == DBK_ORIGIN_CONST;
  for (ValueId v : graph.main().inputs) tellable[v] = contains(INTS | BOOL, graph.values[v].dtype);
  for (const Node& node : graph.main().nodes) {
    bool told = true;
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] != DBK_NONE && !tellable[node.inputs[i]] && !matters_by_type(node, i)) told = false;
    for (ValueId v : node.outputs)
      if (v != DBK_NONE) tellable[v] = told;
  }
  return tellable;
}

// Which captured inputs of a node decide shapes inside its bodies; by position among the captured.
std::vector<bool> deciding_captures(const Graph& graph, const Node& node) {
  std::vector<bool> decides(node.captures);
  for (uint32_t b : bodies_of(node)) {
    const std::vector<bool> inner = shape_inputs(*graph.bodies[b]);
    for (size_t i = 0; i < decides.size(); ++i)
      if (inner[inner.size() - decides.size() + i]) decides[i] = true;
  }
  return decides;
}

}  // namespace

std::vector<bool> shape_inputs(const Graph& graph) {
  const std::vector<bool> tellable = tellable_by_binding(graph);
  std::vector<bool> decides(graph.values.size());
  const auto& nodes = graph.main().nodes;
  for (size_t n = nodes.size(); n-- > 0;) {
    const Node& node = nodes[n];
    if (!node.op) continue;
    const bool downstream = std::ranges::any_of(node.outputs, [&](ValueId v) { return v != DBK_NONE && decides[v] && tellable[v]; });
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const bool operand = steers_shapes(node, i), by_type = matters_by_type(node, i);
      const bool data = node.op->family == "selection";  // the run tells, not the bind
      if (node.inputs[i] != DBK_NONE && !by_type && (operand || (downstream && !data))) decides[node.inputs[i]] = true;
    }
    const std::vector<bool> captured = deciding_captures(graph, node);
    for (size_t i = 0; i < captured.size(); ++i)
      if (captured[i]) decides[node.inputs[node.inputs.size() - captured.size() + i]] = true;
  }
  std::vector<bool> result;
  for (ValueId v : graph.main().inputs) result.push_back(decides[v]);
  return result;
}

}  // namespace dbk
