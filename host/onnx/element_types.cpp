// Rules for element types; see element_types.h.
#include "element_types.h"

#include <onnx/defs/schema.h>

#include <algorithm>

#include "opsets.h"

namespace host {
namespace {

onnx::TypeProto tensor_of(int element) {
  onnx::TypeProto type;
  if (element != onnx::TensorProto::UNDEFINED) type.mutable_tensor_type()->set_elem_type(element);
  return type;
}

// Cast and Constant have the type in an attribute.
int stated_element(const onnx::NodeProto& node) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (node.op_type() == "Cast" && attribute.name() == "to") return static_cast<int>(attribute.i());
    if (node.op_type() == "Constant" && attribute.has_t()) return attribute.t().data_type();
    if (node.op_type() == "Constant" && attribute.name().starts_with("value_float")) return onnx::TensorProto::FLOAT;
    if (node.op_type() == "Constant" && attribute.name().starts_with("value_int")) return onnx::TensorProto::INT64;
  }
  return onnx::TensorProto::UNDEFINED;
}

// The last formal parameter stands for all that follow where it is variadic.
const onnx::OpSchema::FormalParameter* formal(const std::vector<onnx::OpSchema::FormalParameter>& list, int index) {
  if (list.empty()) return nullptr;
  return &list[static_cast<std::size_t>(std::min<std::ptrdiff_t>(index, std::ssize(list) - 1))];
}

}  // namespace

onnx::TypeProto output_type(const onnx::NodeProto& node, uint32_t version, const std::vector<onnx::TypeProto>& inputs,
                            int output) {
  const int stated = stated_element(node);
  if (stated != onnx::TensorProto::UNDEFINED) return tensor_of(stated);
  const onnx::OpSchema* schema =
      onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(version), plain_domain(node.domain()));
  const auto* wanted = schema ? formal(schema->outputs(), output) : nullptr;
  if (!wanted) return {};
  if (wanted->GetTypes().size() == 1) return onnx::Utils::DataTypeUtils::ToTypeProto(*wanted->GetTypes().begin());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto* given = formal(schema->inputs(), static_cast<int>(i));
    if (given && given->GetTypeStr() == wanted->GetTypeStr() && inputs[i].has_tensor_type())
      return tensor_of(inputs[i].tensor_type().elem_type());
  }
  return {};
}

}  // namespace host
