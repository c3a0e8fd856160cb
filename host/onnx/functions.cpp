// Lookup of functions; see functions.h.
#include "functions.h"

#include "node_order.h"
#include "printable.h"
#include "shape_operands.h"

namespace host {

Functions::Functions(const onnx::ModelProto& model, Faults& faults) {
  for (const onnx::FunctionProto& message : model.functions()) {
    faults.collect("function " + in_quotes(message.name()), [&] {
      const std::unordered_set<std::string> inputs(message.input().begin(), message.input().end());
      const auto given = [&](const std::string& name) { return inputs.contains(name); };
      Key key{plain_domain(message.domain()), message.name(), message.overload()};
      Function function{message, Opsets(message.opset_import()), node_order(message.node(), given),
                        shape_operands(message.node())};
      if (!functions_.emplace(std::move(key), std::move(function)).second)
        throw daybreak::Error(DBK_INVALID_ARGUMENT, "a function of this domain, name and overload is there already");
    });
  }
}

const Function* Functions::find(const onnx::NodeProto& node) const {
  if (functions_.empty()) return nullptr;
  const auto known = functions_.find(Key{plain_domain(node.domain()), node.op_type(), node.overload()});
  return known == functions_.end() ? nullptr : &known->second;
}

}  // namespace host
