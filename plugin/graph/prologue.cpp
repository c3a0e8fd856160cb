#include "plugin/graph/prologue.h"

namespace dbk {

std::vector<bool> prepared_values_read(const Graph& graph) {
  std::vector<bool> read(graph.values.size());
  const auto mark = [&](ValueId v) {
    if (v != DBK_NONE && graph.values[v].origin == kOriginPrepared) read[v] = true;
  };
  for (const Block& block : graph.blocks) {
    for (ValueId v : block.outputs) mark(v);
    for (const Node& node : block.nodes)
      for (ValueId v : node.inputs) mark(v);
  }
  return read;
}

std::vector<bool> weights_with_memory(const Graph& graph) {
  std::vector<bool> held = prepared_values_read(graph);
  for (size_t n = graph.prologue.size(); n-- > 0;) {
    const Node& node = graph.prologue[n];
    if (node.op->family != "view" || !held[node.outputs[0]]) continue;
    held[node.outputs[0]] = false;
    held[node.inputs[0]] = true;
  }
  for (ValueId v = 0; v < graph.values.size(); ++v)
    if (is_weight(graph.values[v]) && graph.values[v].origin != kOriginPrepared) held[v] = true;
  return held;
}

}  // namespace dbk
