// Ops of ONNX's own domain from before opset 7, when broadcasting, work in place and training were attributes. Most of
// them are ops of opset 7 without those attributes; where operands need other shapes first, the op becomes a function of
// later ops.
#pragma once

#include <map>
#include <string>

#include "op_functions.h"

namespace host {

constexpr uint32_t oldest_opset = 7;  // that the plugin knows

// Is the node of an opset before 7 whose op changed until then?
bool is_legacy(const onnx::NodeProto& node, uint32_t opset);

// The node as opset 7 writes it. Throws daybreak::Error where it cannot, naming the attribute.
onnx::NodeProto modern_node(const onnx::NodeProto& node, uint32_t opset);

class LegacyFunctions {
 public:
  // What the node is in ops of later opsets, or null: modern_node tells.
  const Function* find(const onnx::NodeProto& node, uint32_t opset);

 private:
  std::map<std::string, DefinedOp> functions_;  // by op
};

}  // namespace host
