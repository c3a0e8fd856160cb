// Numbers of a graph that a pass reads, and values that it adds.
#include "host_fallback/number_cast.h"
#include "plugin/graph/passes/rewriter.h"
#include "plugin/graph/schema.h"

namespace dbk {

namespace {

constexpr DTypeSet kScalars = FLOATS | I32 | I64;

}  // namespace

std::vector<int64_t> permutation_of(const Node& transpose, uint32_t rank) {
  if (transpose.attrs.has("perm")) return transpose.attrs.integers("perm");
  std::vector<int64_t> reversed(rank);
  for (uint32_t i = 0; i < rank; ++i) reversed[i] = rank - 1 - i;
  return reversed;
}

const HostTensor* Rewriter::constant(ValueId v) const {
  return v == DBK_NONE ? nullptr : graph_.values[v].constant.get();
}

std::optional<double> Rewriter::scalar(ValueId v) const {
  const HostTensor* tensor = constant(v);
  if (!tensor || tensor->type.count() != 1 || !contains(kScalars, tensor->type.dtype)) return std::nullopt;
  double number = 0;
  with_type<kScalars>(tensor->type.dtype, [&]<class T>() { number = number_cast<double>(*tensor->view().as<T>()); });
  return number;
}

std::optional<Rewriter::ScalarOperand> Rewriter::scalar_operand(const Node& node) const {
  const size_t at = scalar(node.inputs[1]) ? 1 : 0;
  const auto number = scalar(node.inputs[at]);
  const ValueId rest = node.inputs[1 - at];
  if (!number || !typed(rest) || rank(node.inputs[at]) > rank(rest)) return std::nullopt;
  return ScalarOperand{at, *number, rest};
}

std::optional<Rewriter::Scaled> Rewriter::scaled(const Node* node) const {
  const bool quotient = is_op(node, "Div");
  if (!quotient && !is_op(node, "Mul")) return std::nullopt;
  const auto operand = scalar_operand(*node);
  if (!operand || operand->number == 0 || (quotient && operand->at == 0)) return std::nullopt;
  return Scaled{operand->rest, quotient ? 1 / operand->number : operand->number};
}

std::optional<std::vector<int64_t>> Rewriter::integers(ValueId v) const {
  const HostTensor* tensor = constant(v);
  if (!tensor || (tensor->type.dtype != DBK_I64 && tensor->type.dtype != DBK_I32)) return std::nullopt;
  return to_integers(tensor->view());
}

std::optional<std::vector<int64_t>> Rewriter::axes_of(const Node& node) const {
  if (node.attrs.has("axes")) return node.attrs.integers("axes");
  return node.inputs.size() > 1 ? integers(node.inputs[1]) : std::nullopt;
}

bool Rewriter::permutes(const Node* node, const std::vector<int64_t>& perm) const {
  if (!is_op(node, "Transpose")) return false;
  if (node->attrs.has("perm")) return node->attrs.integers("perm") == perm;  // whatever else is known
  return typed(node->inputs[0]) && permutation_of(*node, rank(node->inputs[0])) == perm;
}

ValueId Rewriter::add_value(const TensorType& type) {
  added_values_ = true;
  return append_value(type);
}

ValueId Rewriter::append_value(const TensorType& given) {
  const TensorType type = given;  // which may be one of the types that move below
  const auto id = static_cast<ValueId>(graph_.values.size());
  graph_.values.emplace_back().dtype = type.dtype;
  types_.types.push_back(type);
  types_.dtypes.push_back(type.dtype);
  types_.known.push_back(nullptr);
  types_.late.push_back(false);
  types_.open.emplace_back();
  extents_.add_value();
  producers_.push_back(nullptr);
  readers_.emplace_back();
  visible_.push_back(false);
  return id;
}

ValueId Rewriter::add_constant(HostTensor tensor) {
  const ValueId id = append_value(tensor.type);
  Value& value = graph_.values[id];
  value.become_constant(std::make_shared<HostTensor>(std::move(tensor)));
  types_.known[id] = value.constant;
  return id;
}

ValueId Rewriter::add_integers(std::span<const int64_t> list) { return add_constant(integer_list(list)); }

ValueId Rewriter::add_scalar(DType dtype, double value, const Shape& shape) {
  HostTensor tensor{{dtype, shape}, std::vector<std::byte>(static_cast<size_t>(byte_size(dtype, 1)))};
  with_type<kScalars>(dtype, [&]<class T>() { *tensor.view().as<T>() = number_cast<T>(value); });
  return add_constant(std::move(tensor));
}

Node Rewriter::make(std::string_view op, std::vector<ValueId> inputs, std::vector<ValueId> outputs, Attributes attrs,
                    std::string_view domain) {
  Node node;
  node.domain = domain;
  node.op_name = op;
  node.op = find_op(domain, op);
  node.opset = newest_opset(domain);
  node.schema = find_schema(domain, op, node.opset);
  if (!node.op || !node.schema) fail(DBK_INTERNAL, "a pass makes {} {}, which this build does not have", domain, op);
  node.version = node.schema->since;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attrs = std::move(attrs);
  check_arity(*node.schema, node.inputs, node.outputs);
  check_attributes_and_fill_defaults(*node.schema, node.attrs);
  return node;
}

}  // namespace dbk
