#include "plugin/graph/open_values.h"

#include <algorithm>

#include "plugin/graph/control.h"

namespace dbk {

OpenValues::OpenValues(const Graph& graph)
    : graph_(graph), tellable_(graph.values.size()), rank_(graph.values.size()), shape_(graph.values.size()), unbounded_(graph.values.size()) {}

void OpenValues::start_input(ValueId v) {
  const Value& declared = graph_.values[v];
  rank_[v] = shape_[v] = !declared.known_rank;
  for (int64_t d : declared.dims) {
    if (d < 0) shape_[v] = true;
    if (is_symbol(d) && !graph_.symbols[symbol_of(d)].bounded()) unbounded_[v] = true;
  }
}

void OpenValues::visit(const Node& node, Types& types) {
  mark_tellable(node, types);
  mark_open(node, types);
}

bool OpenValues::reads_unbounded(const Node& node) const {
  return std::ranges::any_of(node.inputs, [&](ValueId v) { return v != DBK_NONE && unbounded_[v]; });
}

// Those of everything that the node reads are then known.
void OpenValues::mark_tellable(const Node& node, const Types& types) {
  bool tellable = true;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v != DBK_NONE && !(matters_by_type(node, i) ? !types.late[v] : tellable_[v])) tellable = false;
  }
  for (ValueId v : node.outputs)
    if (v != DBK_NONE) tellable_[v] = tellable;
}

void OpenValues::mark_open(const Node& node, Types& types) {
  bool rank = false, shape = false, elements = false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    if (matters_by_type(node, i)) {  // Shape has as many elements as there are axes
      shape = shape || rank_[v];
      elements = elements || shape_[v];
      continue;
    }
    const bool operand = steers_shapes(node, i);
    rank = rank || rank_[v] || (operand && shape_[v]);
    shape = shape || shape_[v] || (operand && types.open[v]);
    elements = elements || types.open[v] || shape_[v];
  }
  const bool all_ones = node.domain.empty() && node.op_name == "Squeeze" && node.inputs.size() < 2 && !node.attrs.has("axes");
  const bool branches = control_of(node) != Control::None;
  if ((all_ones && shape) || (branches && (shape || elements))) rank = true;
  const bool unbounded = reads_unbounded(node);
  for (ValueId v : node.outputs) {
    if (v == DBK_NONE) continue;
    rank_[v] = rank;
    unbounded_[v] = unbounded;
    shape_[v] = shape || rank || (branches && elements);
    types.open[v] = elements;
  }
}

}  // namespace dbk
