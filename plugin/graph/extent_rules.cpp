// Which rule a node has and what is certain without one. The rules are in extent_shapes.cpp, extent_elements.cpp and extent_bodies.cpp.
#include "plugin/graph/extent_rules.h"

#include <algorithm>

#include "plugin/graph/control.h"

namespace dbk {

// Ops beside element-wise ones, which are told by their family.
const ExtentRules::Row ExtentRules::kRows[] = {
    {"MatMul", &ExtentRules::matmul},
    {"FusedMatMul", &ExtentRules::matmul},
    {"PermutedMatMul", &ExtentRules::matmul},
    {"FusedPermutedMatMul", &ExtentRules::matmul},
    {"SplitMatMul", &ExtentRules::split_matmul},
    {"FusedSplitMatMul", &ExtentRules::split_matmul},
    {"FusedGemm", &ExtentRules::gemm},
    {"Gemm", &ExtentRules::gemm},
    {"Softmax", &ExtentRules::like_first},
    {"LogSoftmax", &ExtentRules::like_first},
    {"LayerNormalization", &ExtentRules::like_first},
    {"RMSNormalization", &ExtentRules::like_first},
    {"SimplifiedLayerNormalization", &ExtentRules::like_first},
    {"InstanceNormalization", &ExtentRules::like_first},
    {"BatchNormalization", &ExtentRules::like_first},
    {"SkipLayerNormalization", &ExtentRules::residual_norm},
    {"SkipSimplifiedLayerNormalization", &ExtentRules::residual_norm},
    {"Rotary", &ExtentRules::like_first},
    {"RotaryEmbedding", &ExtentRules::like_first},
    {"RotaryHeads", &ExtentRules::rotary_heads},
    {"CumSum", &ExtentRules::like_first},
    {"Identity", &ExtentRules::like_first},
    {"Cast", &ExtentRules::like_first},
    {"Dropout", &ExtentRules::like_first},
    {"Clip", &ExtentRules::like_first},
    {"Transpose", &ExtentRules::transpose},
    {"Concat", &ExtentRules::concat},
    {"Gather", &ExtentRules::gather},
    {"GatherND", &ExtentRules::gather_nd},
    {"Range", &ExtentRules::range},
    {"Slice", &ExtentRules::slice},
    {"Reshape", &ExtentRules::reshape},
    {"Flatten", &ExtentRules::flatten},
    {"Squeeze", &ExtentRules::squeeze},
    {"Unsqueeze", &ExtentRules::unsqueeze},
    {"Expand", &ExtentRules::expand},
    {"ConstantOfShape", &ExtentRules::constant_of_shape},
    {"Shape", &ExtentRules::shape},
    {"Size", &ExtentRules::size},
    {"Split", &ExtentRules::split},
    {"Conv", &ExtentRules::convolution},
    {"FusedConv", &ExtentRules::convolution},
    {"Attention", &ExtentRules::attention},
    {"MultiHeadAttention", &ExtentRules::multi_head_attention},
    {"GroupQueryAttention", &ExtentRules::group_query_attention},
    {"Where", &ExtentRules::broadcast_all},
    {"Elementwise", &ExtentRules::broadcast_all},
};

ExtentRules::ExtentRules(const Graph& graph, const Types& types, Extents& result)
    : graph_(graph), types_(types), out_(result), table_(result.table_) {}

void ExtentRules::run(std::span<const Extents::KnownDims> given) {
  for (ValueId v = 0; v < graph_.values.size(); ++v) start(v);
  const std::vector<ValueId>& inputs = graph_.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) start_input(inputs[i], i < given.size() ? given[i] : std::nullopt);
  const std::vector<Node>& nodes = graph_.main().nodes;
  for (uint32_t i = 0; i < nodes.size(); ++i) control_of(nodes[i]) == Control::None ? visit(nodes[i]) : visit_bodies(nodes[i], i);
}

void ExtentRules::start(ValueId v) {
  const Value& value = graph_.values[v];
  if (!is_weight(value)) return;
  out_.ranked_[v] = true;
  for (int64_t d : value.dims) out_.dims_[v].push_back(table_.constant(d));
  const HostTensor* tensor = value.constant.get();
  if (!tensor || (tensor->type.dtype != DBK_I64 && tensor->type.dtype != DBK_I32) || types_[v].count() > 64) return;
  Dims list;
  for (int64_t element : to_integers(tensor->view())) list.push_back(table_.constant(element));
  out_.elements_[v] = std::move(list);
}

void ExtentRules::start_input(ValueId v, const Extents::KnownDims& given) {
  if (given && !graph_.values[v].known_rank) return set_known(v, given);
  out_.ranked_[v] = graph_.values[v].known_rank;
  const auto names_extent = [&](int64_t d) { return is_symbol(d) && !graph_.is_body; };  // nobody checks symbols inside
  for (int64_t d : graph_.values[v].dims) {
    const Extent e = d >= 0 ? table_.constant(d) : names_extent(d) ? table_.symbol(symbol_of(d)) : table_.unknown();
    out_.dims_[v].push_back(e);
  }
}

// Squeeze without axes drops what happens to be 1, and the length of a shape operand is a rank.
bool ExtentRules::has_certain_rank(const Node& node, ValueId output) const {
  if (types_[output].dtype == DBK_DTYPE_NONE || !node.op) return false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    const bool decides = steers_shapes(node, i);
    const bool only_elements = node.op_name == "Reshape" && i == 0;
    if ((!out_.ranked_[v] && !only_elements) || (decides && !out_.fixed(v))) return false;
  }
  const bool squeeze =
      node.op_name == "Squeeze" && !node.attrs.has("axes") && (node.inputs.size() < 2 || node.inputs[1] == DBK_NONE);
  return !squeeze || out_.fixed(node.inputs[0]);
}

// Everything that decides the results' shapes is the same in every run.
bool ExtentRules::depends_on_nothing(const Node& node) const {
  constexpr std::string_view kByData[] = {"NonZero", "Unique", "NonMaxSuppression", "Compress"};
  if (std::ranges::find(kByData, node.op_name) != std::end(kByData)) return false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    if (!out_.fixed(v)) return false;
    const bool decides = !node.op || i >= 32 || steers_shapes(node, i);
    if (decides && !graph_.values[v].constant && !integers(v)) return false;
  }
  return true;
}

ExtentRules::Rule ExtentRules::rule_of(const Node& node) const {
  const auto row = std::ranges::find(kRows, std::string_view(node.op_name), &Row::op);
  if (row != std::end(kRows)) return row->rule;
  if (node.op_name.starts_with("Reduce")) return &ExtentRules::reduce;
  constexpr std::string_view kElementwise[] = {"unary", "binary", "elementwise", "compare", "predicate", "logic"};
  const bool elementwise = node.op && std::ranges::find(kElementwise, node.op->family) != std::end(kElementwise);
  return elementwise ? &ExtentRules::broadcast_all : nullptr;
}

void ExtentRules::visit(const Node& node) {
  const bool certain = std::ranges::all_of(node.inputs, [&](ValueId v) { return v == DBK_NONE || ranked(v); });
  const bool constant = depends_on_nothing(node);
  for (ValueId v : node.outputs) {
    if (v == DBK_NONE || !has_certain_rank(node, v)) continue;
    out_.ranked_[v] = true;
    for (int64_t d : types_[v].shape) out_.dims_[v].push_back(constant ? table_.constant(d) : table_.unknown());
  }
  if (const Rule rule = rule_of(node); rule && !constant && certain && ranked(node.outputs[0])) (this->*rule)(node);
  if (certain) evaluate(node);
}

bool ExtentRules::set(ValueId v, Dims dims) {
  if (!ranked(v) || dims.size() != types_[v].shape.rank()) return false;
  out_.dims_[v] = std::move(dims);
  return true;
}

std::optional<std::vector<int64_t>> ExtentRules::integers(ValueId v) const {
  const Dims* list = elements(v);
  if (!list) return std::nullopt;
  std::vector<int64_t> numbers;
  for (Extent e : *list) {
    const auto number = table_.value_of(e);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::vector<int64_t>> ExtentRules::axes_of(const Node& node, size_t input, size_t rank) const {
  std::optional<std::vector<int64_t>> axes;
  if (node.attrs.has("axes"))
    axes = node.attrs.integers("axes");
  else if (input < node.inputs.size() && node.inputs[input] != DBK_NONE)
    axes = integers(node.inputs[input]);
  else
    axes.emplace();
  if (!axes) return std::nullopt;
  for (int64_t& axis : *axes) axis += axis < 0 ? static_cast<int64_t>(rank) : 0;
  std::ranges::sort(*axes);
  return axes;
}

ExtentRules::Dims ExtentRules::broadcast(const Dims& a, const Dims& b) {
  const Dims &longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  const size_t skip = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) result[skip + i] = table_.broadcast(longer[skip + i], shorter[i]);
  return result;
}

}  // namespace dbk
