// Nodes, and calls of functions, which become the nodes of the function. See importer.h.
#include <algorithm>
#include <format>

#include "element_types.h"
#include "importer.h"
#include "node_order.h"
#include "printable.h"

namespace host {
namespace {

std::vector<onnx::TypeProto> types_of(const onnx::NodeProto& node, const Frame& frame) {
  std::vector<onnx::TypeProto> result;
  for (const std::string& name : node.input()) result.push_back(frame.type_of(name));
  return result;
}

}  // namespace

uint32_t Importer::kind(daybreak::Value value) const {
  const auto known = kinds_.find(value.id);
  return known == kinds_.end() ? DBK_KIND_TENSOR : known->second;
}

void Importer::node(const onnx::NodeProto& node, Frame& frame, const std::string& place) {
  if (node.op_type().empty()) throw daybreak::Error(DBK_INVALID_ARGUMENT, "it has no op_type");
  if (const Function* function = definition(node, frame)) return call(*function, node, frame, place);
  if (constant(node, frame) || known_optional(node, frame, place) || known_sequence(node, frame, place)) return;
  const std::optional<uint32_t> opset = frame.opsets->find(node.domain());
  if (!opset || !is_legacy(node, *opset)) return plain_node(node, frame, place);
  plain_node(modern_node(with_attributes(node, frame), *opset), frame, place);
}

void Importer::plain_node(const onnx::NodeProto& node, Frame& frame, const std::string& place) {
  const std::vector<daybreak::Value> inputs = operands(node, frame, place);
  std::vector<Kinds> bodies;
  const std::vector<daybreak::Attr> attrs = attributes(node, frame, place, bodies);
  Kinds input_kinds;
  for (const daybreak::Value input : inputs) input_kinds.push_back(kind(input));
  std::vector<bool> wanted;
  for (const std::string& name : node.output()) wanted.push_back(!name.empty());
  // In a function every node has a name, which begins with its caller's: the model has no other for what fails there.
  const std::string& own = node.name().empty() && !frame.prefix.empty() ? node.op_type() : node.name();
  const std::string name = own.empty() ? std::string() : frame.prefixed(own);
  const daybreak::Op op = daybreak::Op(node.op_type()).in(node.domain(), version(node, frame)).named(name);
  bind_outputs(node, result_.graph.nodes(op, inputs, attrs, wanted), output_kinds(node, input_kinds, bodies), frame);
  if (node.op_type() == "Constant" && plain_domain(node.domain()).empty()) note_constant(node, frame);
}

// The model's own function of that name, what later opsets make of it, or for what the plugin lacks ONNX's definition.
const Function* Importer::definition(const onnx::NodeProto& node, const Frame& frame) {
  if (const Function* function = functions_.find(node)) return function;
  const std::optional<uint32_t> version = frame.opsets->find(node.domain());
  if (version && is_legacy(node, *version)) return legacy_functions_.find(with_attributes(node, frame), *version);
  if (!options_.knows || options_.knows(plain_domain(node.domain()), node.op_type())) return nullptr;
  if (!version) return nullptr;
  return op_functions_.find(with_attributes(node, frame), *version, types_of(node, frame));
}

void Importer::note_types(const onnx::NodeProto& node, Frame& frame) {
  const std::optional<uint32_t> version = frame.opsets->find(node.domain());
  if (!version) return;
  const std::vector<onnx::TypeProto> inputs = types_of(node, frame);
  for (int i = 0; i < node.output_size(); ++i) {
    if (frame.types.contains(node.output(i))) continue;
    onnx::TypeProto type = output_type(node, *version, inputs, i);
    if (type.has_tensor_type()) frame.types.emplace(node.output(i), std::move(type));
  }
}

std::vector<daybreak::Value> Importer::operands(const onnx::NodeProto& node, Frame& frame,
                                                const std::string& place) {
  std::vector<daybreak::Value> result;
  for (const std::string& name : node.input()) {
    daybreak::Value& value = result.emplace_back();  // absent where it has no name
    if (name.empty()) continue;
    faults_.collect(std::format("{}: input {}", place, result.size() - 1), [&] { value = read(frame, name); });
  }
  return result;
}

void Importer::bind_outputs(const onnx::NodeProto& node, const std::vector<daybreak::Value>& outputs,
                            const Kinds& kinds, Frame& frame) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = node.output(static_cast<int>(i));
    if (name.empty()) continue;
    result_.graph.name(outputs[i], frame.value_name(name));
    if (kinds[i] != DBK_KIND_TENSOR) {
      kinds_[outputs[i].id] = kinds[i];
      result_.graph.declare(outputs[i], DBK_DTYPE_NONE, daybreak::unknown_rank, kinds[i]);
    }
    define(frame, name, outputs[i]);
  }
}

// Exporters also keep weights in Constant nodes: large ones are parameters as initialisers are. True where that is
// done.
bool Importer::constant(const onnx::NodeProto& node, Frame& frame) {
  if (node.op_type() != "Constant" || !plain_domain(node.domain()).empty()) return false;
  if (node.attribute_size() != 1 || node.output_size() != 1 || node.output(0).empty()) return false;
  const onnx::AttributeProto* attribute = resolve(node.attribute(0), frame).attribute;
  if (!attribute || (!attribute->has_t() && !attribute->has_sparse_tensor())) return false;
  const std::string& name = node.output(0);
  const bool steers = frame.shape_operands->contains(name);
  const TensorData data = attribute->has_t() ? read_tensor(attribute->t(), &file_.external())
                                             : read_sparse_tensor(attribute->sparse_tensor(), &file_.external());
  if (attribute->has_t() && Weights::is_constant(data, steers)) return false;
  define(frame, name, weights_.add(frame.value_name(name), data, steers));
  return true;
}

uint32_t Importer::version(const onnx::NodeProto& node, const Frame& frame) {
  const bool custom = !plain_domain(node.domain()).empty();
  if (const auto version = frame.opsets->find(node.domain()))
    return custom ? *version : std::max(*version, oldest_opset);
  if (!custom) throw daybreak::Error(DBK_INVALID_ARGUMENT, "no opset of ONNX is imported");
  if (domains_warned_.insert(node.domain()).second) {
    result_.warnings.push_back(std::format("{}: no opset of domain {} is imported; version 1 is taken", file_.name(),
                                           in_quotes(node.domain())));
  }
  return 1;
}

void Importer::call(const Function& function, const onnx::NodeProto& node, Frame& frame, const std::string& place) {
  const onnx::FunctionProto& message = function.message;
  for (const Frame* outer = &frame; outer; outer = outer->caller) {
    if (outer->function == &function)
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("function {} calls itself", in_quotes(message.name())));
  }
  if (node.input_size() > message.input_size() || node.output_size() > message.output_size())
    throw daybreak::Error(
        DBK_INVALID_ARGUMENT,
        std::format("function {} takes {} inputs and makes {} outputs, not {} and {}", in_quotes(message.name()),
                    message.input_size(), message.output_size(), node.input_size(), node.output_size()));
  Frame inner;
  inner.caller = &frame;
  inner.opsets = &function.opsets;
  inner.shape_operands = &function.shape_operands;
  inner.function = &function;
  inner.call = &node;
  inner.path = place + " > ";
  inner.prefix = frame.prefix_of_call(node);
  const std::vector<daybreak::Value> inputs = operands(node, frame, place);
  for (int i = 0; i < message.input_size(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    define(inner, message.input(i), index < inputs.size() ? inputs[index] : daybreak::absent);
    if (i < node.input_size()) inner.types.emplace(message.input(i), frame.type_of(node.input(i)));
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (!node.output(i).empty()) inner.renamed.emplace(message.output(i), frame.value_name(node.output(i)));
  }
  nodes(message.node(), function.order, inner);
  for (int i = 0; i < node.output_size(); ++i) {
    if (!node.output(i).empty()) define(frame, node.output(i), read(inner, message.output(i)));
  }
}

}  // namespace host
