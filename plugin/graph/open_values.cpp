#include "plugin/graph/open_values.h"

#include <algorithm>

#include "plugin/graph/control.h"

namespace dbk {

void OpenValues::start_input(ValueId v) {
  const Value& declared = graph_.values[v];
  Openness& open = values_[v];
  open.rank = open.shape = !declared.known_rank;
  for (int64_t d : declared.dims) {
    const Symbol* symbol = is_symbol(d) ? &graph_.symbols[symbol_of(d)] : nullptr;
    if (d < 0 && !(symbol && symbol->fixed())) open.shape = true;
    if (symbol && !symbol->bounded()) open.unbounded = true;
  }
}

bool OpenValues::reads_unbounded(const Node& node) const {
  return std::ranges::any_of(node.inputs, [&](ValueId v) { return v != DBK_NONE && values_[v].unbounded; });
}

// Whether the elements of everything that the node reads can be told.
bool OpenValues::tells_outputs(const Node& node, const std::vector<bool>& late) const {
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (const ValueId v = node.inputs[i]; v != DBK_NONE && !(matters_by_type(node, i) ? !late[v] : values_[v].tellable)) return false;
  return true;
}

void OpenValues::visit(const Node& node, const std::vector<bool>& late) {
  Openness made;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    const Openness& read = values_[v];
    made.unbounded = made.unbounded || read.unbounded;
    if (matters_by_type(node, i)) {  // Shape has as many elements as there are axes
      made.shape = made.shape || read.rank;
      made.elements = made.elements || read.shape;
      continue;
    }
    const bool operand = steers_shapes(node, i);
    made.rank = made.rank || read.rank || (operand && read.shape);
    made.shape = made.shape || read.shape || (operand && read.elements);
    made.elements = made.elements || read.elements || read.shape;
  }
  const bool all_ones = node.domain.empty() && node.op_name == "Squeeze" && node.inputs.size() < 2 && !node.attrs.has("axes");
  const bool branches = control_of(node) != Control::None;
  made.rank = made.rank || (all_ones && made.shape) || (branches && (made.shape || made.elements));
  made.shape = made.shape || made.rank || (branches && made.elements);
  made.tellable = tells_outputs(node, late);
  for (ValueId v : node.outputs)
    if (v != DBK_NONE) values_[v] = made;
}

}  // namespace dbk
