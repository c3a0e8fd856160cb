#include "plugin/gpu/families/epilogue.h"

namespace dbk::gpu {

namespace {

using Place = EpilogueOperand::Place;

Place place_of(const TypedNode& node, size_t input) {
  const Shape& shape = node.inputs[input].shape;
  const bool weight = input < node.is_weight.size() && node.is_weight[input];
  if (!weight) return Place::Whole;
  if (shape.count() == 1) return Place::Single;
  return std::all_of(shape.begin(), shape.end() - 1, [](int64_t extent) { return extent == 1; }) ? Place::Column : Place::Whole;
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
  for (size_t i = own_inputs(node); i < node.inputs.size(); ++i)
    epilogue.operands.push_back({place_of(node, i), node.inputs[i].dtype, static_cast<uint32_t>(i)});
  return epilogue;
}

std::string refuse_epilogue(const TypedNode& node, const Epilogue& epilogue, const Capabilities& caps) {
  if (!epilogue) return {};
  if (node.inputs.size() + 1 > caps.max_storage_bindings) return std::format("{} operands are more than a kernel binds", node.inputs.size());
  if (std::string reason = refuse_expression(*epilogue.expression, dtypes_of(node.inputs[0].dtype, epilogue), caps); !reason.empty()) return reason;
  const Shape& result = node.outputs[0].shape;
  for (const EpilogueOperand& operand : epilogue.operands) {
    const Shape& shape = node.inputs[operand.input].shape;
    if (operand.dtype != node.inputs[0].dtype) return "an operand of the epilogue has another type than the product";
    if (operand.place == Place::Whole && shape != result)
      return std::format("no kernel broadcasts {} to the product's {}", to_string(shape), to_string(result));
    const bool columns = node.inputs[1].shape.rank() > 1;  // of a vector B the result has none
    if (operand.place == Place::Column && (!columns || shape[shape.rank() - 1] != result[result.rank() - 1]))
      return std::format("no kernel adds {} to the product's {}", to_string(shape), to_string(result));
  }
  return {};
}

void add_epilogue(ProgramText& text, DType product, const Epilogue& epilogue) {
  if (epilogue) add_expression(text, *epilogue.expression, dtypes_of(product, epilogue));
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
