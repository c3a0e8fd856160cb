#include "plugin/gpu/families/epilogue.h"

namespace dbk::gpu {

namespace {

using Place = EpilogueOperand::Place;

// The product's shape, whether it is one result or several with columns of it.
Shape product_shape(const TypedNode& node) {
  Shape shape = node.outputs[0].shape;
  for (size_t i = 1; i < node.outputs.size(); ++i) shape[shape.rank() - 1] += node.outputs[i].shape[shape.rank() - 1];
  return shape;
}

// The axis of the result along which operands of place Column lie.
uint32_t column_axis(const TypedNode& node) { return node.op->family == "conv" ? 1 : node.outputs[0].shape.rank() - 1; }

// Whether a weight has more than one element along that axis alone.
bool is_column(const TypedNode& node, const Shape& shape) {
  const uint32_t rank = node.outputs[0].shape.rank(), axis = column_axis(node);
  for (uint32_t d = 0; d < shape.rank(); ++d)
    if (shape[d] != 1 && d + rank != axis + shape.rank()) return false;
  return true;
}

Place place_of(const TypedNode& node, size_t input) {
  const Shape& shape = node.inputs[input].shape;
  const bool weight = input < node.is_weight.size() && node.is_weight[input];
  if (!weight) return Place::Whole;
  if (shape.count() == 1) return Place::Single;
  return is_column(node, shape) ? Place::Column : Place::Whole;
}

std::vector<DType> dtypes_of(DType product, const Epilogue& epilogue) {
  std::vector<DType> dtypes{product};
  for (const EpilogueOperand& operand : epilogue.operands) dtypes.push_back(operand.dtype);
  return dtypes;
}

}  // namespace

size_t own_inputs(const TypedNode& node) { return node.attrs->has("expression") ? product_inputs(*node.attrs) : node.inputs.size(); }

Epilogue epilogue_of(const TypedNode& node) {
  Epilogue epilogue;
  if (!node.attrs->has("expression")) return epilogue;
  epilogue.expression = &node.attrs->expression("expression");
  epilogue.result = node.outputs[0].dtype;
  for (size_t i = own_inputs(node); i < node.inputs.size(); ++i)
    epilogue.operands.push_back({place_of(node, i), node.inputs[i].dtype, static_cast<uint32_t>(i)});
  return epilogue;
}

std::string refuse_epilogue(const TypedNode& node, const Epilogue& epilogue, const Capabilities& caps) {
  if (!epilogue) return {};
  const size_t bindings = node.inputs.size() + node.outputs.size() + (node.outputs.size() > 1 ? 1 : 0);  // of several: sums on their way
  if (bindings > caps.max_storage_bindings) return std::format("{} operands are more than a kernel binds", bindings);
  if (std::string reason = refuse_expression(*epilogue.expression, dtypes_of(node.inputs[0].dtype, epilogue), caps); !reason.empty()) return reason;
  const Shape result = product_shape(node);
  const DType product = node.inputs[0].dtype;
  for (const EpilogueOperand& operand : epilogue.operands) {
    const Shape& shape = node.inputs[operand.input].shape;
    const bool widened = product == DBK_F16 && operand.dtype == DBK_F32;  // it meets the product behind a cast
    if (operand.dtype != product && !widened) return "an operand of the epilogue has another type than the product";
    if (operand.place == Place::Whole && shape != result)
      return std::format("no kernel broadcasts {} to the product's {}", to_string(shape), to_string(result));
    const bool columns = node.inputs[1].shape.rank() > 1;  // of a vector B the result has none
    if (operand.place == Place::Column && (!columns || shape.count() != result[column_axis(node)]))
      return std::format("no kernel adds {} to the product's {}", to_string(shape), to_string(result));
  }
  return {};
}

void add_epilogue(ProgramText& text, DType product, const Epilogue& epilogue) {
  if (!epilogue) return;
  if (epilogue.result == DBK_F16) text.enable("f16");
  add_expression(text, *epilogue.expression, dtypes_of(product, epilogue), FirstOperand::Computed);
}

void add_finish(ProgramText& text, DType product, const Epilogue& epilogue, uint32_t binding) {
  if (!epilogue) {
    text.file("conv/finish");
    return;
  }
  add_epilogue(text, product, epilogue);
  std::string bindings, arguments = "sum";
  for (size_t e = 0; e < epilogue.operands.size(); ++e) {
    constexpr std::string_view kAt[] = {"at", "channel", "0u"};
    const std::string_view type = element_name(epilogue.operands[e].dtype, product);
    bindings += std::format("\n@group(0) @binding({}) var<storage, read> e{}: array<{}>;", binding + e, e, type);
    arguments += std::format(", f32(e{}[{}])", e, kAt[static_cast<size_t>(epilogue.operands[e].place)]);
  }
  const std::string_view result = element_name(epilogue.result, product);
  text.text(bindings + std::format("\n\nfn finish(sum: f32, at: u32, channel: u32) -> {0} {{\n  return {0}(value({1}));\n}}\n", result, arguments));
}

std::string epilogue_label(const Epilogue& epilogue) {
  if (!epilogue) return {};
  std::string label = "/" + expression_label(*epilogue.expression);
  constexpr char kPlaces[] = {'w', 'c', 's'};
  if (!epilogue.operands.empty()) label += "/";
  for (const EpilogueOperand& operand : epilogue.operands) label += kPlaces[static_cast<size_t>(operand.place)];
  return label;
}

}  // namespace dbk::gpu
