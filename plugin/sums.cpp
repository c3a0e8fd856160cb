#include "plugin/sums.h"

#include <algorithm>

#include "host_fallback/expression.h"
#include "host_fallback/scaled_product.h"

namespace dbk {

namespace {

TensorType type_of(const Graph& graph, ValueId value) { return {graph.values[value].dtype, Shape(graph.values[value].dims)}; }

Sums matmul_sums(const Shape& a, const Shape& b) { return {a[a.rank() - 1], 1, b.rank() == 1 ? 1 : b[b.rank() - 1], true}; }

Sums gemm_sums(const Node& node, const Shape& a, const Shape& b) {
  const bool across_a = node.attrs.integer("transA") != 0, along_b = node.attrs.integer("transB") != 0;
  const bool addend = node.inputs.size() > 2 && node.inputs[2] != DBK_NONE;
  return {a[across_a ? 0 : 1], across_a ? a[1] : 1, along_b ? 1 : b[1], !addend && node.attrs.real("alpha") == 1};
}

Sums scaled_sums(const Node& node, std::span<const TensorType> operands) {
  const ScaledProduct p = scaled_product(node.attrs, OperandTypes(operands));
  return {p.a.columns, p.a.column_step, p.b.row_step, p.alpha == 1};
}

bool casts_alone(const Node& node) {
  if (!node.attrs.has("expression")) return true;
  return std::ranges::all_of(node.attrs.expression("expression").steps, [](const Expression::Step& step) { return step.op->family == "cast"; });
}

}  // namespace

Sums sums_of(const Graph& graph) {
  const std::vector<Node>& nodes = graph.main().nodes;
  const std::string_view family = nodes.empty() || !nodes[0].op ? "" : nodes[0].op->family;
  if (graph.product_kernel.empty() || family.empty()) return {};
  const Node& node = nodes[0];
  const TensorType operands[] = {type_of(graph, node.inputs[0]), type_of(graph, node.inputs[1])};
  Sums sums;
  if (family == "matmul") sums = matmul_sums(operands[0].shape, operands[1].shape);
  if (family == "gemm") sums = gemm_sums(node, operands[0].shape, operands[1].shape);
  if (family == "transposed_matmul") sums = scaled_sums(node, operands);
  // Sums of squares are larger than others.
  sums.alone = sums.alone && casts_alone(node) && node.inputs[0] != node.inputs[1];
  return sums;
}

}  // namespace dbk
