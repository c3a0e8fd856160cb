#include "plugin/graph/node_alone.h"

#include <map>

namespace dbk {

namespace {

Value value_of(const Graph& graph, ValueId v, const Types& types) {
  Value value;
  value.name = graph.values[v].name;
  value.dtype = types[v].dtype;
  value.known_rank = true;
  value.dims.assign(types[v].shape.begin(), types[v].shape.end());
  return value;
}

}  // namespace

Graph node_alone(const Graph& graph, const Node& node, const Types& types, uint32_t copies) {
  Graph alone;
  alone.precision = graph.precision;
  alone.blocks.emplace_back();
  std::map<ValueId, ValueId> operands;
  for (const ValueId v : node.inputs) {
    if (v == DBK_NONE || operands.contains(v)) continue;
    const auto id = operands[v] = static_cast<ValueId>(alone.values.size());
    alone.values.push_back(value_of(graph, v, types));
    alone.values.back().origin = is_weight(graph.values[v]) ? DBK_ORIGIN_PARAM : DBK_ORIGIN_COMPUTED;
    (is_weight(graph.values[v]) ? alone.params : alone.main().inputs).push_back(id);
  }
  for (uint32_t copy = 0; copy < copies; ++copy) {
    Node again = node;
    again.table_index = copy;
    for (ValueId& v : again.inputs) v = v == DBK_NONE ? v : operands.at(v);
    for (ValueId& v : again.outputs) {
      if (v == DBK_NONE) continue;
      alone.values.push_back(value_of(graph, v, types));
      v = static_cast<ValueId>(alone.values.size() - 1);
      alone.main().outputs.push_back(v);
    }
    alone.main().nodes.push_back(std::move(again));
    alone.callers.push_back({node.domain, node.op_name, node.name, node.opset});
  }
  return alone;
}

}  // namespace dbk
