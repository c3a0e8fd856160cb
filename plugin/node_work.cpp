// What a node has to do, from its op and types.
#include <algorithm>
#include <cmath>

#include "host_fallback/scaled_product.h"
#include "plugin/cost_model.h"

namespace dbk {

namespace {

double elements(const TensorType& type) { return static_cast<double>(type.shape.count()); }

double batch_of(const TensorType& type) {
  double batch = 1;
  for (size_t i = 0; i + 2 < type.shape.rank(); ++i) batch *= static_cast<double>(type.shape[i]);
  return batch;
}

// The extent that is summed over, from the sizes alone: |A| |B| / |C| is its square times the batch that A and B have in common, however
// they are transposed.
double inner_extent(const TensorType& a, const TensorType& b, const TensorType& c) {
  const double shared = batch_of(a) * batch_of(b) / std::max(batch_of(c), 1.0);
  return elements(c) == 0 || shared == 0 ? 0 : std::sqrt(elements(a) * elements(b) / (elements(c) * shared));
}

// Option precision is of products; other ops of f32 compute as they are.
Arithmetic arithmetic_of(std::string_view family, DType result, Precision precision) {
  constexpr std::string_view kRounded[] = {"matmul", "gemm", "transposed_matmul"};
  if (result == DBK_F16) return Arithmetic::F16;
  const bool rounded = result == DBK_F32 && precision != Precision::F32 && std::ranges::find(kRounded, family) != std::end(kRounded);
  return rounded ? Arithmetic::F16F32acc : Arithmetic::F32;
}

class NodeFlops {
 public:
  NodeFlops(const Node& node, const Types& types) : node_(node), types_(types), out_(types[node.outputs.front()]) {}

  double count() const {
    const std::string_view family = node_.op->family;
    const uint32_t second = node_.op_name == "QLinearMatMul" || node_.op_name == "QLinearConv" ? 3 : 1;
    const auto is_any = [&](std::initializer_list<std::string_view> names) { return std::ranges::find(names, family) != names.end(); };
    if (!has(second)) return is_any({"attention", "group_query_attention"}) ? attention(0) : elements(out_);
    if (is_any({"block_matmul"})) return 2 * elements(out_) * static_cast<double>(in(0).shape[in(0).shape.rank() - 1]);
    if (is_any({"transposed_matmul"})) {
      const TensorType operands[] = {in(0), in(1)};
      return 2 * elements(out_) * static_cast<double>(scaled_product(node_.attrs, OperandTypes(std::span(operands))).a.columns);
    }
    if (node_.op_name.ends_with("SplitMatMul")) return 2 * elements(in(0)) * static_cast<double>(in(1).shape[in(1).shape.rank() - 1]);
    if (is_any({"matmul", "gemm", "integer_matmul", "scaled_matmul"}))
      return 2 * elements(out_) * inner_extent(in(0), in(second), out_);
    if (is_any({"conv", "integer_conv"})) return 2 * elements(out_) * per_first(in(second));
    if (is_any({"conv_transpose"})) return 2 * elements(in(0)) * per_first(in(1));
    if (is_any({"attention", "group_query_attention"})) return attention(1);
    return elements(out_);
  }

 private:
  bool has(uint32_t i) const { return i < node_.inputs.size() && node_.inputs[i] != DBK_NONE; }
  const TensorType& in(uint32_t i) const { return types_[node_.inputs[i]]; }
  static double per_first(const TensorType& weights) { return elements(weights) / std::max(1.0, static_cast<double>(weights.shape[0])); }
  // Scores and their product with the values: each query meets every key, twice. Those of a cache are among the keys that are handed on.
  double attention(uint32_t keys) const {
    const bool hands_on = node_.outputs.size() > 1 && node_.outputs[1] != DBK_NONE;
    const Shape& shape = (hands_on ? types_[node_.outputs[1]] : in(keys)).shape;
    return shape.rank() < 2 ? elements(out_) : 4 * elements(in(0)) * static_cast<double>(shape[shape.rank() - 2]);
  }

  const Node& node_;
  const Types& types_;
  const TensorType& out_;
};

}  // namespace

Work work_of(const Node& node, const Types& types, Precision precision) {
  Work work{.kernels = 1};
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i] != DBK_NONE && reads_memory(node, i, types)) work.bytes += static_cast<double>(types[node.inputs[i]].bytes());
  for (const ValueId v : node.outputs)
    if (v != DBK_NONE) work.bytes += static_cast<double>(types[v].bytes());
  if (node.outputs.empty() || node.outputs.front() == DBK_NONE) return work;
  work.flops = NodeFlops(node, types).count();
  work.arithmetic = arithmetic_of(node.op->family, types[node.outputs.front()].dtype, precision);
  return work;
}

}  // namespace dbk
