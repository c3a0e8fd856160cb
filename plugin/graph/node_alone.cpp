#include "plugin/graph/node_alone.h"

#include <map>
#include <set>

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

// A graph that grows by nodes of another.
class Cutting {
 public:
  Cutting(const Graph& graph, const Types& types) : graph_(graph), types_(types) {
    alone_.precision = graph.precision;
    alone_.blocks.emplace_back();
  }

  void add(const Node& node, bool keeps_constants) {
    Node again = node;
    again.table_index = static_cast<uint32_t>(alone_.callers.size());
    for (ValueId& v : again.inputs)
      if (v != DBK_NONE) v = operand(v, keeps_constants);
    for (ValueId& v : again.outputs)
      if (v != DBK_NONE) v = result(v);
    alone_.main().nodes.push_back(std::move(again));
    alone_.callers.push_back({node.domain, node.op_name, node.name, node.opset});
  }

  // Outputs are what nobody reads here.
  Graph finish() {
    std::set<ValueId> read;
    for (const Node& node : alone_.main().nodes) read.insert(node.inputs.begin(), node.inputs.end());
    for (const Node& node : alone_.main().nodes)
      for (const ValueId v : node.outputs)
        if (v != DBK_NONE && !read.contains(v)) alone_.main().outputs.push_back(v);
    return std::move(alone_);
  }

 private:
  ValueId append(ValueId v) {
    alone_.values.push_back(value_of(graph_, v, types_));
    return static_cast<ValueId>(alone_.values.size() - 1);
  }

  ValueId result(ValueId v) { return known_[v] = append(v); }

  ValueId operand(ValueId v, bool keeps_constants) {
    if (const auto found = known_.find(v); found != known_.end()) return found->second;
    const ValueId id = result(v);
    const Value& from = graph_.values[v];
    Value& value = alone_.values[id];
    if (keeps_constants && from.constant) value.origin = from.origin, value.constant = from.constant;
    else if (keeps_constants && types_.known[v]) value.become_constant(types_.known[v]);
    else if (is_weight(from)) value.origin = DBK_ORIGIN_PARAM, alone_.params.push_back(id);
    else alone_.main().inputs.push_back(id);
    return id;
  }

  const Graph& graph_;
  const Types& types_;
  Graph alone_;
  std::map<ValueId, ValueId> known_;  // values of the graph that are here, too
};

}  // namespace

Graph nodes_alone(const Graph& graph, std::span<const Node* const> nodes, const Types& types) {
  Cutting cutting(graph, types);
  for (const Node* node : nodes) cutting.add(*node, /*keeps_constants=*/true);
  return cutting.finish();
}

Graph node_alone(const Graph& graph, const Node& node, const Types& types, uint32_t copies) {
  Cutting cutting(graph, types);
  for (uint32_t copy = 0; copy < copies; ++copy) cutting.add(node, /*keeps_constants=*/false);
  return cutting.finish();
}

}  // namespace dbk
