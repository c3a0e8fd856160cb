#include "tests/ops/node_graph.h"

#include "tests/ops/requirement.h"

namespace ops {

namespace {

using dbk::HostTensor;

daybreak::Dims dims_of(const Shape& shape) { return daybreak::Dims(std::span<const int64_t>(shape)); }

daybreak::Value add_operand(NodeGraph& graph, const Operand& operand, const HostTensor& data, size_t i) {
  const std::string name = "x" + std::to_string(i);
  if (operand.dtype == DBK_DTYPE_NONE) return daybreak::absent;
  const daybreak::Dims dims = dims_of(operand.shape);
  if (operand.origin == Origin::Param) return graph.builder.param(name, operand.dtype, dims, data.bytes);
  if (operand.origin == Origin::Const) return graph.builder.constant(operand.dtype, dims, data.bytes, name);
  graph.bound.push_back(i);
  return graph.builder.input(name, operand.dtype, dims);
}

}  // namespace

daybreak::Attr attr_of(daybreak::GraphBuilder& graph, const dbk::Attribute& attribute) {
  const auto convert = [&](const auto& value) -> daybreak::Attr {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::shared_ptr<const HostTensor>>)
      return {attribute.name, graph.constant(value->type.dtype, dims_of(value->type.shape), value->bytes)};
    else if constexpr (std::is_same_v<T, std::shared_ptr<const dbk::Expression>> || std::is_same_v<T, dbk::BlockRef> || std::is_same_v<T, std::vector<dbk::BlockRef>>)
      throw Failure("attribute " + attribute.name + " is a block or an expression");
    else
      return {attribute.name, value};
  };
  return std::visit(convert, attribute.value);
}

NodeGraph node_graph(const dbk::OpRow& row, const OpCase& test, const std::vector<HostTensor>& inputs) {
  NodeGraph graph{daybreak::GraphBuilder(test.opset), {}};
  if (row.domain.starts_with("ai.onnx.")) graph.builder.opset(row.domain, test.opset);
  std::vector<daybreak::Value> operands;
  for (size_t i = 0; i < test.inputs.size(); ++i) operands.push_back(add_operand(graph, test.inputs[i], inputs[i], i));
  std::vector<daybreak::Attr> attrs;
  for (const dbk::Attribute& attribute : test.attrs.items()) attrs.push_back(attr_of(graph.builder, attribute));
  const auto results = graph.builder.nodes(daybreak::Op(row.name).in(row.domain).named("node under test"), operands, attrs, test.outputs);
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i]) graph.builder.output(results[i], "y" + std::to_string(i));
  return graph;
}

}  // namespace ops
