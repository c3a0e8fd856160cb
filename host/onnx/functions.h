// The functions of a model: subgraphs that nodes call by domain, name and overload.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_set>

#include "faults.h"
#include "node_names.h"
#include "opsets.h"

namespace host {

struct Function {
  const onnx::FunctionProto& message;
  Opsets opsets;
  std::vector<int> order;                          // of its nodes
  std::unordered_set<std::string> shape_operands;  // names in it
};

class Functions {
 public:
  // Functions that cannot be read are faults.
  Functions(const onnx::ModelProto& model, Faults& faults);

  const Function* find(const onnx::NodeProto& node) const;  // null: the node calls none

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload
  std::map<Key, Function> functions_;
};

}  // namespace host
