#include "tests/ops/onnx_rule.h"

#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <format>

#include "tests/ops/requirement.h"

namespace ops {

namespace {

using dbk::HostTensor;

int onnx_dtype(DType dtype) {
  for (int code = 1; onnx::TensorProto::DataType_IsValid(code); ++code)
    if (dbk::dtype_of_onnx(code) == dtype) return code;
  throw Failure(std::format("ONNX has no type {}", dbk::to_string(dtype)));
}

onnx::TensorProto tensor_proto(const HostTensor& tensor) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx_dtype(tensor.type.dtype));
  for (const int64_t d : tensor.type.shape) proto.add_dims(d);
  proto.set_raw_data(tensor.bytes.data(), tensor.bytes.size());
  return proto;
}

void set_value(onnx::AttributeProto& a, int64_t value) { a.set_type(onnx::AttributeProto::INT), a.set_i(value); }
void set_value(onnx::AttributeProto& a, double value) { a.set_type(onnx::AttributeProto::FLOAT), a.set_f(static_cast<float>(value)); }
void set_value(onnx::AttributeProto& a, const std::string& value) { a.set_type(onnx::AttributeProto::STRING), a.set_s(value); }
void set_value(onnx::AttributeProto& a, const std::vector<int64_t>& values) {
  a.set_type(onnx::AttributeProto::INTS);
  for (const int64_t value : values) a.add_ints(value);
}
void set_value(onnx::AttributeProto& a, const std::vector<double>& values) {
  a.set_type(onnx::AttributeProto::FLOATS);
  for (const double value : values) a.add_floats(static_cast<float>(value));
}
void set_value(onnx::AttributeProto& a, const std::vector<std::string>& values) {
  a.set_type(onnx::AttributeProto::STRINGS);
  for (const std::string& value : values) a.add_strings(value);
}
void set_value(onnx::AttributeProto& a, const std::shared_ptr<const HostTensor>& value) {
  a.set_type(onnx::AttributeProto::TENSOR), *a.mutable_t() = tensor_proto(*value);
}
template <class T>
void set_value(onnx::AttributeProto& a, const T&) {
  throw Failure("attribute " + a.name() + " is a block or an expression");
}

void add_operand(onnx::GraphProto& graph, const std::string& name, const HostTensor& tensor, bool known) {
  if (known) {
    (*graph.add_initializer() = tensor_proto(tensor)).set_name(name);
    return;
  }
  onnx::ValueInfoProto& value = *graph.add_input();
  value.set_name(name);
  value.mutable_type()->mutable_tensor_type()->set_elem_type(onnx_dtype(tensor.type.dtype));
  onnx::TensorShapeProto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
  for (const int64_t d : tensor.type.shape) shape.add_dim()->set_dim_value(d);
}

onnx::ModelProto model_of(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  onnx::ModelProto model;
  model.set_ir_version(onnx::Version::IR_VERSION);
  onnx::OperatorSetIdProto& opset = *model.add_opset_import();
  opset.set_domain(std::string(row.domain));
  opset.set_version(test.opset);
  onnx::NodeProto& node = *model.mutable_graph()->add_node();
  node.set_op_type(std::string(row.name));
  node.set_domain(std::string(row.domain));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool there = inputs[i].type.dtype != DBK_DTYPE_NONE, steers = i < 32 && (row.host->shape_inputs >> i & 1) != 0;
    node.add_input(there ? "x" + std::to_string(i) : "");
    if (there) add_operand(*model.mutable_graph(), node.input(static_cast<int>(i)), inputs[i], steers || test.inputs[i].origin == Origin::Const);
  }
  for (size_t i = 0; i < test.outputs.size(); ++i) node.add_output(test.outputs[i] ? "y" + std::to_string(i) : "");
  for (const dbk::Attribute& attribute : test.attrs.items()) {
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute.name);
    std::visit([&](const auto& value) { set_value(proto, value); }, attribute.value);
  }
  return model;
}

OnnxRule::Output output_of(const onnx::TypeProto& type) {
  OnnxRule::Output output{dbk::dtype_of_onnx(type.tensor_type().elem_type()), {}};
  if (!type.tensor_type().has_shape()) return output;
  output.dims.emplace();
  for (const auto& dim : type.tensor_type().shape().dim()) output.dims->push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  return output;
}

}  // namespace

bool OnnxRule::Output::tells_all() const { return dims && std::ranges::none_of(*dims, [](int64_t d) { return d < 0; }); }

bool OnnxRule::Output::allows(const dbk::TensorType& type) const {
  const auto fits = [](int64_t told, int64_t extent) { return told < 0 || told == extent; };
  return (dtype == DBK_DTYPE_NONE || dtype == type.dtype) && (!dims || std::ranges::equal(*dims, type.shape, fits));
}

std::string to_string(const OnnxRule::Output& output) {
  std::string dims;
  for (const int64_t d : output.dims.value_or(std::vector<int64_t>{})) dims += std::format("{}{}", dims.empty() ? "" : ", ", d);
  return std::format("{}{}", dbk::to_string(output.dtype), output.dims ? "[" + dims + "]" : "");
}

std::optional<OnnxRule> onnx_rule(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  if (!row.domain.empty() && !row.domain.starts_with("ai.onnx.")) return std::nullopt;
  onnx::ModelProto model = model_of(row, test, inputs);
  OnnxRule rule;
  try {
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), onnx::ShapeInferenceOptions(true, 1, true));
  } catch (const std::exception& e) {
    rule.refusal = e.what();
    return rule;
  }
  rule.outputs.resize(test.outputs.size());
  for (const onnx::ValueInfoProto& value : model.graph().value_info())
    for (size_t i = 0; i < rule.outputs.size(); ++i)
      if (value.name() == "y" + std::to_string(i)) rule.outputs[i] = output_of(value.type());
  return rule;
}

}  // namespace ops
