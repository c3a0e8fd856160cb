#include "plugin/gpu/node_operands.h"

#include "plugin/gpu/weight_store.h"
#include "plugin/graph/plan.h"

namespace dbk::gpu {

NodeOperands::NodeOperands(const Graph& graph, const Node& node, const Types& types, const PrecisionVerdict* verdict)
    : node_(node), precision_(graph.precision), verdict_(verdict), fixed_extents_(graph.fixed_extents), inputs_(node.inputs.size()),
      outputs_(node.outputs.size()), tensors_(node.inputs.size()),
      values_(node.inputs.size()), weights_(new bool[node.inputs.size()]()) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    inputs_[i] = types[v];
    unbounded_ = unbounded_ || types.open[v].unbounded;
    weights_[i] = graph.values[v].origin != DBK_ORIGIN_COMPUTED;
    if (!steers_shapes(node, i) || !types.known[v]) continue;
    tensors_[i] = types.known[v]->view();
    values_[i] = &tensors_[i];
  }
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != DBK_NONE) outputs_[i] = types[node.outputs[i]];
}

TypedNode NodeOperands::view() const {
  return {node_.op, &node_.attrs, node_.version, inputs_, outputs_, values_, {weights_.get(), inputs_.size()}, precision_, verdict_, fixed_extents_, unbounded_};
}

std::vector<Panel> NodeOperands::panels(const Family& family, const Capabilities& caps, uint32_t input) const {
  if (family.panels) return family.panels(view(), caps, input);
  return {whole(inputs_[input])};
}

// Why an operand does not fit into a binding, with its name and size; empty where all do. Weights may be split by the family.
std::string NodeOperands::over_limit(const Graph& graph, const Family& family, const Capabilities& caps) const {
  const auto text = [&](ValueId v, uint64_t bytes) {
    return std::format("{} takes {} bytes, a binding holds {}", describe(graph, v), bytes, caps.max_binding);
  };
  for (uint32_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].dtype == DBK_DTYPE_NONE || values_[i] || matters_by_type(node_, i)) continue;
    uint64_t bytes = storage_bytes(inputs_[i]);
    if (weights_[i]) {
      bytes = 0;
      for (const Panel& p : panels(family, caps, i)) bytes = std::max(bytes, panel_bytes(inputs_[i], p));
    }
    if (bytes > caps.max_binding) return text(node_.inputs[i], storage_bytes(inputs_[i]));
  }
  for (uint32_t i = 0; i < outputs_.size(); ++i)
    if (outputs_[i].dtype != DBK_DTYPE_NONE && storage_bytes(outputs_[i]) > caps.max_binding) return text(node_.outputs[i], storage_bytes(outputs_[i]));
  return "";
}

std::string NodeOperands::launch(const Graph& graph, const Family& family, const Capabilities& caps, std::vector<Dispatch>& out) const {
  std::string why = over_limit(graph, family, caps);  // names the operand, so it goes first
  if (why.empty()) why = family.refuse(view(), caps);
  if (!why.empty()) return why;
  family.launch(view(), caps, out);
  for (const Dispatch& d : out)
    for (const Argument& a : d.args)
      if (a.kind == Argument::Kind::Scratch && a.byte_len > caps.max_binding)
        return std::format("its kernels hand on {} bytes, a binding holds {}", a.byte_len, caps.max_binding);
  return "";
}

std::vector<uint32_t> device_nodes(const Plan& plan) {
  std::vector<uint32_t> nodes;
  for (const Segment& segment : plan.segments)
    if (!segment.on_host) nodes.insert(nodes.end(), plan.order.begin() + segment.first, plan.order.begin() + segment.first + segment.count);
  return nodes;
}

std::string NodeOperands::refusal(const Graph& graph, const Family& family, const Capabilities& caps) const {
  std::vector<Dispatch> unused;
  return launch(graph, family, caps, unused);
}

std::vector<Dispatch> NodeOperands::dispatches(const Graph& graph, const Family& family, const Capabilities& caps) const {
  std::vector<Dispatch> dispatches;
  if (const std::string why = launch(graph, family, caps, dispatches); !why.empty())
    throw Error(DBK_OUT_OF_RANGE, describe(node_) + ": " + why, node_.table_index);
  return dispatches;
}

std::vector<Dispatch> NodeOperands::dispatches(const Graph& graph, const Family& family, const Capabilities& caps, std::vector<Program>& programs) const {
  std::vector<Dispatch> list = dispatches(graph, family, caps);
  std::vector<Program> offered;
  family.programs(view(), caps, offered);
  std::vector<std::optional<uint32_t>> taken(offered.size());
  for (Dispatch& d : list) {
    std::optional<uint32_t>& number = taken.at(d.program);
    if (!number) number = static_cast<uint32_t>(programs.size()), programs.push_back(std::move(offered[d.program]));
    d.program = *number;
  }
  return list;
}

}  // namespace dbk::gpu
