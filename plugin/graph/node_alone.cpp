#include "plugin/graph/node_alone.h"

#include <algorithm>
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

  // `set`: of the weights that it reads. Nodes of equal sets have weights in common, as all have the other operands.
  void add(const Node& node, bool keeps_constants, uint32_t set = 0) {
    Node again = node;
    again.table_index = static_cast<uint32_t>(alone_.callers.size());
    for (ValueId& v : again.inputs)
      if (v != DBK_NONE) v = operand(v, keeps_constants, set);
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

  ValueId result(ValueId v) { return known_[{v, 0}] = append(v); }

  ValueId operand(ValueId v, bool keeps_constants, uint32_t set) {
    const Value& from = graph_.values[v];
    const std::pair key{v, is_weight(from) ? set : 0};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const ValueId id = known_[key] = append(v);
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
  std::map<std::pair<ValueId, uint32_t>, ValueId> known_;  // values of the graph that are here, too; weights by their set
};

uint64_t weight_bytes(const Graph& graph, const Node& node, const Types& types) {
  uint64_t bytes = 0;
  for (const ValueId v : node.inputs)
    if (v != DBK_NONE && is_weight(graph.values[v])) bytes += static_cast<uint64_t>(types[v].bytes());
  return bytes;
}

}  // namespace

Graph nodes_alone(const Graph& graph, std::span<const Node* const> nodes, const Types& types) {
  Cutting cutting(graph, types);
  for (const Node* node : nodes) cutting.add(*node, /*keeps_constants=*/true);
  return cutting.finish();
}

Graph node_alone(const Graph& graph, const Node& node, const Types& types, uint32_t copies) {
  constexpr uint64_t kMoreThanCaches = 16 << 20;  // of a core; all kernels of a trial have such weights at once
  const uint64_t sets = std::clamp<uint64_t>(kMoreThanCaches / std::max<uint64_t>(weight_bytes(graph, node, types), 1), 1, copies);
  Cutting cutting(graph, types);
  for (uint32_t copy = 0; copy < copies; ++copy) cutting.add(node, /*keeps_constants=*/false, static_cast<uint32_t>(copy % sets));
  return cutting.finish();
}

}  // namespace dbk
