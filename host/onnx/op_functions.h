// ONNX defines many of its ops by others (Celu, GroupNormalization, CenterCropPad ...). Where the plugin lacks such an
// op, import takes that definition.
#pragma once

#include <list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "functions.h"

namespace host {

// The definition of an op that the file itself does not define.
struct DefinedOp {
  onnx::FunctionProto message;
  Function function;
  explicit DefinedOp(onnx::FunctionProto definition);
  DefinedOp(const DefinedOp&) = delete;  // the function refers to the message
  DefinedOp& operator=(const DefinedOp&) = delete;
};

class OpFunctions {
 public:
  // The definition of a node's op for this opset, or null. `types`: of the node's inputs, empty where not known; some
  // definitions depend on them.
  const Function* find(const onnx::NodeProto& node, uint32_t version, const std::vector<onnx::TypeProto>& types);

 private:
  using Key = std::tuple<std::string, std::string, uint32_t>;  // domain, op, version

  std::map<Key, DefinedOp> fixed_;
  std::list<DefinedOp> of_nodes_;  // those that depend on types and attributes
};

}  // namespace host
