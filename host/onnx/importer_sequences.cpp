// Sequences and optionals that the graph itself makes of tensors, in known numbers. The plugin has none of their ops; here nothing is
// left of them but the tensors. Whatever else reads such a sequence gets the node that makes it, and the plugin has its say.
#include <algorithm>
#include <cstring>
#include <format>
#include <utility>

#include "importer.h"
#include "value_type.h"

namespace host {
namespace {

constexpr std::size_t longest_sequence = 256;  // longer ones stay what they are
constexpr uint32_t opset = 13;                 // of the nodes written here

int64_t integer(const onnx::NodeProto& node, const std::string& name, int64_t otherwise) {
  for (const onnx::AttributeProto& item : node.attribute())
    if (item.name() == name) return item.i();
  return otherwise;
}

bool is_present(const onnx::NodeProto& node, int input) { return node.input_size() > input && !node.input(input).empty(); }

// Counted from the front; `ends`: one behind the last is a place, too.
std::size_t place_in(const std::vector<daybreak::Value>& elements, int64_t position, bool ends = false) {
  const auto count = std::ssize(elements);
  const int64_t place = position < 0 ? position + count : position;
  if (place < 0 || place > count - (ends ? 0 : 1))
    throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("position {} in a sequence of {}", position, count));
  return static_cast<std::size_t>(place);
}

// Parts of `size` and a rest; empty where there would be too many.
std::vector<int64_t> parts_of(int64_t extent, int64_t size) {
  if (size < 1 || extent < 0 || std::cmp_greater(extent / size, longest_sequence)) return {};
  std::vector<int64_t> parts(static_cast<std::size_t>(extent / size), size);
  if (extent % size != 0) parts.push_back(extent % size);
  return parts;
}

}  // namespace

const KnownSequence* Frame::find_sequence(const std::string& name) const {
  for (const Frame* frame = this; frame; frame = frame->around) {
    const auto known = frame->sequences.find(name);
    if (known != frame->sequences.end()) return &known->second;
    if (frame->values.contains(name)) break;
  }
  return nullptr;
}

// True where the node is done with: it makes a known sequence, or reads one.
bool Importer::known_sequence(const onnx::NodeProto& node, Frame& frame, const std::string& place) {
  if (!plain_domain(node.domain()).empty() || node.output_size() != 1 || node.output(0).empty()) return false;
  const std::string& op = node.op_type();
  if (op == "SequenceAt" || op == "SequenceLength" || op == "ConcatFromSequence") return read_sequence(node, frame, place);
  if (op != "SplitToSequence" && !op.starts_with("Sequence")) return false;
  std::optional<std::vector<daybreak::Value>> elements = elements_of(node, frame);
  if (!elements || elements->size() > longest_sequence) return false;
  if (!frame.values.contains(node.output(0))) frame.sequences.try_emplace(node.output(0), KnownSequence{&node, std::move(*elements)});
  return frame.sequences.contains(node.output(0));
}

std::optional<std::vector<daybreak::Value>> Importer::elements_of(const onnx::NodeProto& node, Frame& frame) {
  const std::string& op = node.op_type();
  std::vector<daybreak::Value> elements;
  if (op == "SequenceEmpty") return elements;
  if (op == "SplitToSequence") return split_elements(node, frame);
  if (op == "SequenceConstruct") {
    for (const std::string& name : node.input()) elements.push_back(read(frame, name));
    return elements;
  }
  const KnownSequence* before = is_present(node, 0) ? frame.find_sequence(node.input(0)) : nullptr;
  const bool inserts = op == "SequenceInsert";
  if (!before || (!inserts && op != "SequenceErase")) return std::nullopt;
  elements = before->elements;
  int64_t position = std::ssize(elements) - (inserts ? 0 : 1);
  if (const int input = inserts ? 2 : 1; is_present(node, input)) {
    const Integers* given = known_integers(frame, node.input(input));
    if (!given || given->values.size() != 1) return std::nullopt;
    position = given->values[0];
  }
  const auto at = elements.begin() + static_cast<std::ptrdiff_t>(place_in(elements, position, inserts));
  if (inserts) elements.insert(at, read(frame, node.input(1)));
  else elements.erase(at);
  return elements;
}

// The extents of the parts are constants, or only their number is known.
std::optional<std::vector<daybreak::Value>> Importer::split_elements(const onnx::NodeProto& given, Frame& frame) {
  const onnx::NodeProto node = with_attributes(given, frame);
  int64_t axis = integer(node, "axis", 0);
  const onnx::TypeProto type = frame.type_of(node.input_size() > 0 ? node.input(0) : "");
  const onnx::TensorShapeProto& shape = type.tensor_type().shape();
  if (axis < 0) axis += shape.dim_size();
  const bool known = axis >= 0 && axis < shape.dim_size() && shape.dim(static_cast<int>(axis)).has_dim_value();
  const int64_t extent = known ? shape.dim(static_cast<int>(axis)).dim_value() : -1;
  std::vector<int64_t> parts = parts_of(extent, 1);
  daybreak::Value sizes;
  const bool by_sizes = is_present(node, 1);
  if (by_sizes) {
    const Integers* list = known_integers(frame, node.input(1));
    const onnx::TypeProto of_sizes = frame.type_of(node.input(1));
    const onnx::TensorShapeProto& count = of_sizes.tensor_type().shape();
    if (list) parts = list->is_scalar ? parts_of(extent, list->values[0]) : list->values;
    else if (count.dim_size() == 1) parts = parts_of(count.dim(0).dim_value(), 1), sizes = read(frame, node.input(1));
    else return std::nullopt;
  }
  if (parts.empty() || parts.size() > longest_sequence) return std::nullopt;
  if (!sizes) sizes = result_.graph.constant(std::span<const int64_t>(parts), {std::ssize(parts)});
  const daybreak::Value inputs[] = {read(frame, node.input(0)), sizes};
  const daybreak::Attr attrs[] = {{"axis", integer(node, "axis", 0)}};
  const daybreak::Op split = daybreak::Op("Split").in("", opset).named(frame.prefixed(node.name()));
  std::vector<daybreak::Value> elements = result_.graph.nodes(split, inputs, attrs, std::vector<bool>(parts.size(), true));
  if (by_sizes || integer(node, "keepdims", 1) != 0) return elements;
  const daybreak::Value axes = result_.graph.constant<int64_t>({integer(node, "axis", 0)});
  nodes_ += elements.size();
  for (daybreak::Value& element : elements) element = result_.graph.node(daybreak::Op("Squeeze").in("", opset), {element, axes});
  return elements;
}

bool Importer::read_sequence(const onnx::NodeProto& given, Frame& frame, const std::string& place) {
  const KnownSequence* sequence = is_present(given, 0) ? frame.find_sequence(given.input(0)) : nullptr;
  if (!sequence) return false;
  const std::vector<daybreak::Value>& elements = sequence->elements;
  if (given.op_type() == "SequenceLength") {
    onnx::TensorProto length;
    length.set_data_type(onnx::TensorProto::INT64);
    length.add_int64_data(std::ssize(elements));
    constant_node(given, length, frame, place);
    return true;
  }
  if (given.op_type() == "SequenceAt") {
    const Integers* position = is_present(given, 1) ? known_integers(frame, given.input(1)) : nullptr;
    if (!position || position->values.size() != 1) return false;
    define(frame, given.output(0), elements[place_in(elements, position->values[0])]);
    return true;
  }
  if (elements.empty()) return false;
  const onnx::NodeProto node = with_attributes(given, frame);
  const int64_t axis = integer(node, "axis", 0);
  std::vector<daybreak::Value> parts = elements;
  if (integer(node, "new_axis", 0) != 0) {
    const daybreak::Value axes = result_.graph.constant<int64_t>({axis});
    nodes_ += parts.size();
    for (daybreak::Value& part : parts) part = result_.graph.node(daybreak::Op("Unsqueeze").in("", opset), {part, axes});
  }
  const daybreak::Attr attrs[] = {{"axis", axis}};
  const daybreak::Op concat = daybreak::Op("Concat").in("", opset).named(frame.prefixed(node.name()));
  bind_outputs(node, result_.graph.nodes(concat, parts, attrs, {true}), {DBK_KIND_TENSOR}, frame);
  return true;
}

// An optional made of a tensor is that tensor, and whether there is one is known here. True where that is done. Optionals that come from
// outside stay, and those of sequences.
bool Importer::known_optional(const onnx::NodeProto& node, Frame& frame, const std::string& place) {
  const bool wraps = node.op_type() == "Optional" || node.op_type() == "OptionalGetElement";
  if (!plain_domain(node.domain()).empty() || (!wraps && node.op_type() != "OptionalHasElement")) return false;
  if (node.input_size() > 1 || node.output_size() != 1 || node.output(0).empty()) return false;
  const daybreak::Value value = is_present(node, 0) ? read(frame, node.input(0)) : daybreak::absent;
  if (value && kind(value) != DBK_KIND_TENSOR) return false;
  if (wraps) {
    if (value) define(frame, node.output(0), value);
    return static_cast<bool>(value);
  }
  onnx::TensorProto answer;
  answer.set_data_type(onnx::TensorProto::BOOL);
  answer.add_int32_data(value ? 1 : 0);
  constant_node(node, answer, frame, place);
  return true;
}

void Importer::constant_node(const onnx::NodeProto& instead_of, const onnx::TensorProto& tensor, Frame& frame, const std::string& place) {
  onnx::NodeProto node;
  node.set_op_type("Constant");
  node.set_name(instead_of.name());
  node.add_output(instead_of.output(0));
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = tensor;
  plain_node(node, frame, place);
}

const Integers* Importer::known_integers(const Frame& frame, const std::string& name) const {
  const daybreak::Value* value = frame.find(name);
  const auto known = value ? integers_.find(value->id) : integers_.end();
  return known == integers_.end() ? nullptr : &known->second;
}

void Importer::note_integers(daybreak::Value value, const TensorData& data) {
  if ((data.dtype != DBK_I64 && data.dtype != DBK_I32) || data.bytes.empty() || data.bytes.size() > longest_sequence * 8) return;
  Integers list{data.dims.size() == 0, {}};
  const auto add = [&]<class T>(T) {
    for (std::size_t at = 0; at + sizeof(T) <= data.bytes.size(); at += sizeof(T)) {
      T element;
      std::memcpy(&element, data.bytes.data() + at, sizeof element);
      list.values.push_back(element);
    }
  };
  data.dtype == DBK_I64 ? add(int64_t{}) : add(int32_t{});
  integers_.try_emplace(value.id, std::move(list));
}

void Importer::note_constant(const onnx::NodeProto& node, const Frame& frame) {
  const daybreak::Value* value = node.output_size() == 1 ? frame.find(node.output(0)) : nullptr;
  if (!value || !*value || node.attribute_size() != 1) return;
  const onnx::AttributeProto* attribute = resolve(node.attribute(0), frame).attribute;
  if (!attribute) return;
  if (attribute->has_t()) note_integers(*value, read_tensor(attribute->t(), &file_.external()));
  if (attribute->name() == "value_int") integers_.try_emplace(value->id, Integers{true, {attribute->i()}});
  if (attribute->name() == "value_ints")
    integers_.try_emplace(value->id, Integers{false, {attribute->ints().begin(), attribute->ints().end()}});
}

}  // namespace host
