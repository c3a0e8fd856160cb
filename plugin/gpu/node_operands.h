// A node with the types of its operands, in the form families take.
#pragma once

#include "plugin/gpu/family.h"
#include "plugin/graph/infer.h"

namespace dbk {
struct Plan;
}

namespace dbk::gpu {

class NodeOperands {
 public:
  // `verdict` is the precision guard's, which outlives this object; null: nobody judged.
  NodeOperands(const Graph& graph, const Node& node, const Types& types, const PrecisionVerdict* verdict);

  TypedNode view() const;
  // Why the device does not run the node: an operand that no binding holds, the family's own reason, or intermediates that no binding
  // holds. Empty where it does.
  std::string refusal(const Graph& graph, const Family& family, const Capabilities& caps) const;
  // The dispatches of a node on the device. Throws OUT_OF_RANGE where the family takes these types but not these extents, which only
  // bind may tell.
  std::vector<Dispatch> dispatches(const Graph& graph, const Family& family, const Capabilities& caps) const;
  // The same where Dispatch::program counts in `programs`, to which those that are dispatched are added.
  std::vector<Dispatch> dispatches(const Graph& graph, const Family& family, const Capabilities& caps, std::vector<Program>& programs) const;
  // Panels of a weight input; one, the whole, where the family does not split it.
  std::vector<Panel> panels(const Family& family, const Capabilities& caps, uint32_t input) const;
  bool is_weight(uint32_t input) const { return weights_[input]; }

 private:
  std::string over_limit(const Graph& graph, const Family& family, const Capabilities& caps) const;
  // Fills `out`, or gives the refusal.
  std::string launch(const Graph& graph, const Family& family, const Capabilities& caps, std::vector<Dispatch>& out) const;

  const Node& node_;
  Precision precision_;
  const PrecisionVerdict* verdict_;
  bool fixed_extents_, unbounded_ = false;
  std::vector<TensorType> inputs_, outputs_;
  std::vector<Tensor> tensors_;
  std::vector<const Tensor*> values_;
  std::unique_ptr<bool[]> weights_;
};

// Nodes of a plan that run on the device, in the order of its steps.
std::vector<uint32_t> device_nodes(const Plan& plan);

}  // namespace dbk::gpu
