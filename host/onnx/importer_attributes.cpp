// Attributes of nodes; bodies among them become blocks, tensors constants. See importer.h.
#include <algorithm>
#include <format>

#include "importer.h"
#include "node_order.h"
#include "printable.h"
#include "value_type.h"

namespace host {
namespace {

using Message = onnx::AttributeProto;

[[noreturn]] void refuse(const char* what) {
  throw daybreak::Error(DBK_UNIMPLEMENTED, std::string(what) + " are not supported");
}

// Old files leave the type out: the field that is set tells it.
int type_of(const Message& attribute) {
  if (attribute.type() != Message::UNDEFINED) return attribute.type();
  if (attribute.has_f()) return Message::FLOAT;
  if (attribute.has_i()) return Message::INT;
  if (attribute.has_s()) return Message::STRING;
  if (attribute.has_t()) return Message::TENSOR;
  if (attribute.has_g()) return Message::GRAPH;
  if (attribute.has_sparse_tensor()) return Message::SPARSE_TENSOR;
  if (attribute.has_tp()) return Message::TYPE_PROTO;
  if (attribute.floats_size() > 0) return Message::FLOATS;
  if (attribute.ints_size() > 0) return Message::INTS;
  if (attribute.strings_size() > 0) return Message::STRINGS;
  if (attribute.tensors_size() > 0) return Message::TENSORS;
  if (attribute.graphs_size() > 0) return Message::GRAPHS;
  throw daybreak::Error(DBK_INVALID_ARGUMENT, "it has neither a type nor a value");
}

const Message* find(const google::protobuf::RepeatedPtrField<Message>& list, const std::string& name) {
  const auto found = std::ranges::find_if(list, [&](const Message& item) { return item.name() == name; });
  return found == list.end() ? nullptr : &*found;
}

template <class T, class List>
std::vector<T> list_of(const List& list) {
  return std::vector<T>(list.begin(), list.end());
}

}  // namespace

// In a function an attribute may stand for one of the call, which may stand for one of the call around it.
Importer::Resolved Importer::resolve(const Message& attribute, const Frame& frame) {
  if (attribute.ref_attr_name().empty()) return {&attribute, &frame};
  const std::string& name = attribute.ref_attr_name();
  if (!frame.function)
    throw daybreak::Error(DBK_INVALID_ARGUMENT,
                          std::format("it stands for {} of a function, but is in none", in_quotes(name)));
  if (const Message* given = find(frame.call->attribute(), name)) return resolve(*given, *frame.caller);
  const onnx::FunctionProto& function = frame.function->message;
  if (const Message* otherwise = find(function.attribute_proto(), name)) return {otherwise, &frame};
  const auto& names = function.attribute();
  if (std::ranges::find(names, name) != names.end()) return {nullptr, &frame};
  throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("it stands for {}, which is no attribute of function {}",
                                                          in_quotes(name), in_quotes(function.name())));
}

onnx::NodeProto Importer::with_attributes(const onnx::NodeProto& node, const Frame& frame) {
  onnx::NodeProto result = node;
  result.clear_attribute();
  for (const Message& item : node.attribute()) {
    const Resolved resolved = resolve(item, frame);
    if (!resolved.attribute) continue;
    *result.add_attribute() = *resolved.attribute;
    result.mutable_attribute(result.attribute_size() - 1)->set_name(item.name());
  }
  return result;
}

std::vector<daybreak::Attr> Importer::attributes(const onnx::NodeProto& node, const Frame& frame,
                                                 const std::string& place, std::vector<Kinds>& bodies) {
  std::vector<daybreak::Attr> result;
  for (const Message& item : node.attribute()) {
    const std::string where = std::format("{}: attribute {}", place, in_quotes(item.name()));
    faults_.collect(where, [&] {
      const Resolved resolved = resolve(item, frame);
      if (resolved.attribute) result.push_back(attribute(item.name(), resolved, where, bodies));
    });
  }
  return result;
}

daybreak::Attr Importer::attribute(const std::string& name, const Resolved& resolved, const std::string& place,
                                   std::vector<Kinds>& bodies) {
  const Message& item = *resolved.attribute;
  const auto constant = [&](const onnx::TensorProto& tensor) {
    return weights_.add_constant(resolved.frame->value_name(tensor.name()), read_tensor(tensor, &file_.external()));
  };
  const auto block = [&](const onnx::GraphProto& graph) {
    return body(graph, *resolved.frame, place, bodies.emplace_back());
  };
  switch (type_of(item)) {
    case Message::FLOAT:
      return {name, item.f()};
    case Message::INT:
      return {name, item.i()};
    case Message::STRING:
      return {name, item.s()};
    case Message::TENSOR:
      return {name, constant(item.t())};
    case Message::GRAPH:
      return {name, block(item.g())};
    case Message::TYPE_PROTO:
      return {name, type(item.tp())};
    case Message::FLOATS:
      return {name, list_of<double>(item.floats())};
    case Message::INTS:
      return {name, list_of<int64_t>(item.ints())};
    case Message::STRINGS:
      return {name, list_of<std::string>(item.strings())};
    case Message::TENSORS: {
      std::vector<daybreak::Value> values;
      for (const onnx::TensorProto& tensor : item.tensors()) values.push_back(constant(tensor));
      return {name, values};
    }
    case Message::GRAPHS: {
      std::vector<daybreak::Block> blocks;
      for (const onnx::GraphProto& graph : item.graphs()) blocks.push_back(block(graph));
      return {name, blocks};
    }
    case Message::SPARSE_TENSOR:
    case Message::SPARSE_TENSORS:
      refuse("sparse tensors");
    case Message::TYPE_PROTOS:
      refuse("lists of types");
  }
  throw daybreak::Error(DBK_INVALID_ARGUMENT,
                        std::format("attribute type {} is unknown", static_cast<int>(item.type())));
}

// Only numbers are extents here: a type in an attribute has no symbols to refer to.
daybreak::TypeOf Importer::type(const onnx::TypeProto& type) {
  const ValueType declared = read_type(type);
  if (!declared.shape) return result_.graph.type(declared.dtype, daybreak::unknown_rank, declared.kind);
  daybreak::Dims dims;
  for (const auto& dim : declared.shape->dim())
    dims.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : DBK_DIM_UNKNOWN);
  return result_.graph.type(declared.dtype, dims, declared.kind);
}

}  // namespace host
