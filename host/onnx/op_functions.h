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

class OpFunctions {
 public:
  // The definition of a node's op for this opset, or null. `types`: of the node's inputs, empty where not known; some
  // definitions depend on them.
  const Function* find(const onnx::NodeProto& node, uint32_t version, const std::vector<onnx::TypeProto>& types);

 private:
  struct Defined {
    onnx::FunctionProto message;
    Function function;
    explicit Defined(onnx::FunctionProto definition);
  };
  using Key = std::tuple<std::string, std::string, uint32_t>;  // domain, op, version

  std::map<Key, Defined> fixed_;
  std::list<Defined> of_nodes_;  // those that depend on types and attributes
};

}  // namespace host
