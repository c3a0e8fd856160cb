// Definitions from libonnx's schemas; see op_functions.h.
#include "op_functions.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "node_order.h"
#include "shape_operands.h"

namespace host {
namespace {

std::vector<int> order_of(const onnx::FunctionProto& message) {
  const std::unordered_set<std::string> inputs(message.input().begin(), message.input().end());
  return node_order(message.node(), [&](const std::string& name) { return inputs.contains(name); });
}

// A definition refers to attributes by name and leaves their defaults to the schema.
void add_defaults(onnx::FunctionProto& message, const onnx::OpSchema& schema) {
  for (const auto& [name, attribute] : schema.attributes()) {
    if (attribute.default_value.type() == onnx::AttributeProto::UNDEFINED) continue;
    *message.add_attribute_proto() = attribute.default_value;
    message.mutable_attribute_proto(message.attribute_proto_size() - 1)->set_name(name);
  }
}

bool fits(const onnx::NodeProto& node, const onnx::FunctionProto& message) {
  return node.input_size() <= message.input_size() && node.output_size() <= message.output_size();
}

// What depends on the node is made for it alone; libonnx throws where it lacks a type.
std::optional<onnx::FunctionProto> made_for(const onnx::NodeProto& node, const onnx::OpSchema& schema, int version,
                                            const std::vector<onnx::TypeProto>& types) {
  onnx::NodeProto complete = node;
  for (const auto& [name, attribute] : schema.attributes()) {
    const auto given = [&](const onnx::AttributeProto& item) { return item.name() == name; };
    if (attribute.default_value.type() == onnx::AttributeProto::UNDEFINED) continue;
    if (std::none_of(node.attribute().begin(), node.attribute().end(), given)) {
      *complete.add_attribute() = attribute.default_value;
      complete.mutable_attribute(complete.attribute_size() - 1)->set_name(name);
    }
  }
  try {
    onnx::FunctionProto result;
    const onnx::FunctionBodyBuildContextImpl context(complete, types);
    if (schema.BuildContextDependentFunction(context, result, version)) return result;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

}  // namespace

DefinedOp::DefinedOp(onnx::FunctionProto definition)
    : message(std::move(definition)),
      function{message, Opsets(message.opset_import()), order_of(message), shape_operands(message.node())} {}

const Function* OpFunctions::find(const onnx::NodeProto& node, uint32_t version,
                                  const std::vector<onnx::TypeProto>& types) {
  const std::string domain = plain_domain(node.domain());
  const Key key{domain, node.op_type(), version};
  const auto known = fixed_.find(key);
  if (known != fixed_.end()) return fits(node, known->second.message) ? &known->second.function : nullptr;
  const auto opset = static_cast<int>(version);
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), opset, domain);
  if (!schema) return nullptr;
  if (const onnx::FunctionProto* definition = schema->GetFunction(opset)) {
    onnx::FunctionProto message = *definition;
    add_defaults(message, *schema);
    const DefinedOp& added = fixed_.try_emplace(key, std::move(message)).first->second;
    return fits(node, added.message) ? &added.function : nullptr;
  }
  if (!schema->HasContextDependentFunction()) return nullptr;
  std::optional<onnx::FunctionProto> message = made_for(node, *schema, opset, types);
  if (!message || !fits(node, *message)) return nullptr;
  add_defaults(*message, *schema);
  return &of_nodes_.emplace_back(std::move(*message)).function;
}

}  // namespace host
