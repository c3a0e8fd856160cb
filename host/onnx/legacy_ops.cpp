// Nodes of opsets 1 to 6; see legacy_ops.h. libonnx's version converter is not used: it copies every weight, ends at the first
// op that it does not know, and for these ops does no more than what is here.
#include "legacy_ops.h"

#include <onnx/defs/parser.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <format>
#include <string_view>
#include <utility>

#include "printable.h"

namespace host {
namespace {

using Attribute = onnx::AttributeProto;

template <std::size_t count>
bool is_one_of(const std::string& name, const std::array<std::string_view, count>& names) {
  return std::ranges::find(names, name) != names.end();
}

const onnx::OpSchema* schema_of(const onnx::NodeProto& node, uint32_t opset) {
  return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), "");
}

const Attribute* find(const onnx::NodeProto& node, const std::string& name) {
  const auto found = std::ranges::find_if(node.attribute(), [&](const Attribute& item) { return item.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

template <class Test>
void drop_attributes(onnx::NodeProto& node, Test test) {
  auto& list = *node.mutable_attribute();
  list.erase(std::remove_if(list.begin(), list.end(), test), list.end());
}

[[noreturn]] void refuse(uint32_t opset, const std::string& what) {
  throw daybreak::Error(DBK_UNIMPLEMENTED,
                        std::format("opset {} is older than {}: {}; convert the model with onnx.version_converter", opset,
                                    oldest_opset, what));
}

// ---- the same attribute in today's words, in place ----

Attribute& added(onnx::NodeProto& node, const char* name, Attribute::AttributeType type) {
  Attribute& result = *node.add_attribute();
  result.set_name(name);
  result.set_type(type);
  return result;
}

// Types were written as their names.
void cast_to_number(onnx::NodeProto& node) {
  for (Attribute& item : *node.mutable_attribute()) {
    onnx::TensorProto::DataType type;
    if (item.name() != "to" || !item.has_s()) continue;
    if (!onnx::TensorProto::DataType_Parse(item.s(), &type))
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("to is {}, which is no type", in_quotes(item.s())));
    item.clear_s();
    item.set_type(Attribute::INT);
    item.set_i(type);
  }
}

void concat_along_channels(onnx::NodeProto& node) {
  if (!find(node, "axis")) added(node, "axis", Attribute::INT).set_i(1);
}

void rename_paddings(onnx::NodeProto& node) {
  for (Attribute& item : *node.mutable_attribute())
    if (item.name() == "paddings") item.set_name("pads");
}

// The last two axes of four had a scale each.
void list_scales(onnx::NodeProto& node) {
  const Attribute *height = find(node, "height_scale"), *width = find(node, "width_scale");
  if (!height || !width) throw daybreak::Error(DBK_INVALID_ARGUMENT, "height_scale and width_scale are not both given");
  const std::array<float, 4> scales{1, 1, height->f(), width->f()};
  drop_attributes(node, [](const Attribute& item) { return item.name().ends_with("_scale"); });
  Attribute& list = added(node, "scales", Attribute::FLOATS);
  for (const float scale : scales) list.add_floats(scale);
  for (Attribute& item : *node.mutable_attribute())
    if (item.name() == "mode" && item.s() == "bilinear") item.set_s("linear");
}

void reword(onnx::NodeProto& node) {
  constexpr std::array<std::pair<std::string_view, void (*)(onnx::NodeProto&)>, 4> ops{
      {{"Cast", cast_to_number}, {"Concat", concat_along_channels}, {"Pad", rename_paddings}, {"Upsample", list_scales}}};
  for (const auto& [op, change] : ops)
    if (node.op_type() == op) change(node);
}

// ---- attributes that opset 7 does not have ----

void check_dropped(const Attribute& item, uint32_t opset) {
  // Without `broadcast` extents had to be equal; which outputs a recurrent op makes is told by their names.
  constexpr std::array<std::string_view, 4> harmless{"consumed_inputs", "broadcast", "output_sequence", "is_test"};
  if (!is_one_of(item.name(), harmless)) refuse(opset, std::format("attribute {}", in_quotes(item.name())));
}

void refuse_training(const onnx::NodeProto& node, const onnx::OpSchema& then, uint32_t opset) {
  if (!then.attributes().contains("is_test")) return;
  const Attribute* given = find(node, "is_test");
  if (!given || given->i() == 0) refuse(opset, std::format("is_test is 0{}, which means training", given ? "" : " by default"));
}

// Defaults that were other numbers (Selu's).
void add_former_defaults(onnx::NodeProto& node, const onnx::OpSchema& then, const onnx::OpSchema& now) {
  for (const auto& [name, attribute] : then.attributes()) {
    const Attribute& former = attribute.default_value;
    const auto today = now.attributes().find(name);
    if (find(node, name) || !former.has_f() || today == now.attributes().end()) continue;
    if (former.f() != today->second.default_value.f()) added(node, name.c_str(), Attribute::FLOAT).set_f(former.f());
  }
}

// ---- functions ----

// B's axes are A's from `axis` on; today they are A's last ones: B gets as many axes of extent 1 behind its own as are
// missing. The ranks need not be known here.
constexpr const char* aligned = R"(
    extents = Shape(B)
    rank = Size(extents)
    offset = Constant <value_int: int = @axis> ()
    behind = Add(rank, offset)
    axes = Constant <value_ints = [0]> ()
    first = Unsqueeze(behind, axes)
    whole = Shape(A)
    end = Shape(whole)
    missing = Slice(whole, first, end)
    count = Shape(missing)
    ones = ConstantOfShape <value = int64[1] {1}> (count)
    target = Concat <axis = 0> (extents, ones)
    placed = Reshape(B, target)
)";
constexpr const char* reshaped = R"(
    target = Constant <value_ints: ints = @shape> ()
    C = Reshape(A, target)
)";

onnx::FunctionProto parsed(const std::string& text) {
  onnx::FunctionProto result;
  const auto status = onnx::OnnxParser::Parse(result, text.c_str());
  if (!status.IsOK()) throw daybreak::Error(DBK_INTERNAL, status.ErrorMessage());
  return result;
}

onnx::FunctionProto definition(const std::string& op) {
  constexpr const char* head = R"(<domain: "legacy", opset_import: ["" : 13]>)";
  if (op == "Reshape") return parsed(std::format("{} {} <shape> (A) => (C) {{ {} }}", head, op, reshaped));
  return parsed(std::format("{} {} <axis: int = 1> (A, B) => (C) {{ {} C = {}(A, placed) }}", head, op, aligned, op));
}

bool is_aligned_by_axis(const onnx::NodeProto& node) {
  constexpr std::array<std::string_view, 11> ops{"Add", "And", "Div", "Equal", "Greater", "Less",
                                                 "Mul", "Or",  "Pow", "Sub",   "Xor"};
  return is_one_of(node.op_type(), ops) && find(node, "axis");
}

}  // namespace

bool is_legacy(const onnx::NodeProto& node, uint32_t opset) {
  if (opset >= oldest_opset || !plain_domain(node.domain()).empty()) return false;
  const onnx::OpSchema *then = schema_of(node, opset), *now = schema_of(node, oldest_opset);
  return then && (!now || std::cmp_greater(now->SinceVersion(), opset));
}

onnx::NodeProto modern_node(const onnx::NodeProto& node, uint32_t opset) {
  const onnx::OpSchema *then = schema_of(node, opset), *now = schema_of(node, oldest_opset);
  if (!now) refuse(opset, std::format("opset {} does not have the op", oldest_opset));
  onnx::NodeProto result = node;
  reword(result);
  if (result.input_size() > now->max_input()) refuse(opset, std::format("{} inputs", result.input_size()));
  refuse_training(result, *then, opset);
  drop_attributes(result, [&](const Attribute& item) {
    const auto today = now->attributes().find(item.name());
    if (today == now->attributes().end()) return check_dropped(item, opset), true;
    if (item.type() != Attribute::UNDEFINED && item.type() != today->second.type)
      refuse(opset, std::format("attribute {} is of another type", in_quotes(item.name())));
    return false;
  });
  add_former_defaults(result, *then, *now);
  return result;
}

const Function* LegacyFunctions::find(const onnx::NodeProto& node, uint32_t opset) {
  const std::string& op = node.op_type();
  const Attribute* axis = host::find(node, "axis");
  if (!is_aligned_by_axis(node) && op != "PRelu" && op != "Reshape") return nullptr;
  if (axis && axis->i() < 0) refuse(opset, std::format("axis is {}", axis->i()));
  const auto known = functions_.find(op);
  return &(known != functions_.end() ? known : functions_.try_emplace(op, definition(op)).first)->second.function;
}

}  // namespace host
