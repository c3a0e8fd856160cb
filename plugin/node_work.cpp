// What a node has to do, from its op and types.
#include <algorithm>
#include <cmath>
#include <map>

#include "host_fallback/epilogue.h"
#include "host_fallback/group_query_attention.h"
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

bool has(const Node& node, size_t i) { return i < node.inputs.size() && node.inputs[i] != DBK_NONE; }

// By the op's own description: where operands are packed, or columns of something wider, their shapes do not tell. Of the caches of
// GroupQueryAttention, whose length is fixed, the rows that count in the longest batch are the keys.
AttentionGeometry attention_of(const Node& node, const Types& types) {
  std::array<TensorType, OperandTypes::kMost> operands;
  for (size_t i = 0; i < operands.size(); ++i)
    if (has(node, i)) operands[i] = types[node.inputs[i]];
  const OperandTypes in{std::span<const TensorType>(operands)};
  if (node.op->family == "attention") return attention_geometry(node.op->id, node.attrs, in);
  const auto& total = types.known[node.inputs[GroupQuery::kTotal]];
  const int64_t past = in.has(GroupQuery::kPastKey) ? in.shape(GroupQuery::kPastKey)[2] : 0;
  GroupQuery a = group_query(node.attrs, in, total ? to_integers(total->view())[0] : past + in.shape(GroupQuery::kQuery)[1]);
  a.g.keys = a.total;
  return a.g;
}

// Scores and their product with the values: each query meets every key, twice.
double attention_flops(const AttentionGeometry& g) {
  return 2.0 * static_cast<double>(g.batch * g.heads) * static_cast<double>(g.queries) * static_cast<double>(g.keys) *
         static_cast<double>(g.head_size + g.v_head_size);
}

// Of queries, keys and values, those of input `i`: it may have some of them, all of them, or columns that nobody reads.
double attention_elements(const AttentionGeometry& g, size_t i) {
  const AttentionRoles& r = g.roles;
  const auto part = [&](size_t role, const AttentionOperand& at, int64_t heads, int64_t rows, int64_t size) {
    return role == i ? static_cast<double>((at.batch == 0 ? 1 : g.batch) * heads) * static_cast<double>(rows * size) : 0.0;
  };
  return part(r.q, g.q, g.heads, g.queries, g.head_size) + part(r.k, g.k, g.kv_heads, g.keys - g.past, g.head_size) +
         part(r.v, g.v, g.kv_heads, g.keys - g.past, g.v_head_size);
}

// Option precision is of products; other ops of f32 compute as they are.
Arithmetic arithmetic_of(std::string_view family, DType dtype, Precision precision) {
  constexpr std::string_view kRounded[] = {"matmul", "gemm", "transposed_matmul"};
  if (dtype == DBK_F16) return Arithmetic::F16;
  const bool rounded = dtype == DBK_F32 && precision != Precision::F32 && std::ranges::find(kRounded, family) != std::end(kRounded);
  return rounded ? Arithmetic::F16F32acc : Arithmetic::F32;
}

class NodeFlops {
 public:
  NodeFlops(const Node& node, const Types& types) : node_(node), types_(types), out_(types[node.outputs.front()]) {}

  double count() const {
    const std::string_view family = node_.op->family;
    const uint32_t second = node_.op_name == "QLinearMatMul" || node_.op_name == "QLinearConv" ? 3 : 1;
    const auto is_any = [&](std::initializer_list<std::string_view> names) { return std::ranges::find(names, family) != names.end(); };
    if (is_any({"attention", "group_query_attention"})) return attention_flops(attention_of(node_, types_));
    if (!has(node_, second)) return elements(out_);
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
    return elements(out_);
  }

 private:
  const TensorType& in(uint32_t i) const { return types_[node_.inputs[i]]; }
  static double per_first(const TensorType& weights) { return elements(weights) / std::max(1.0, static_cast<double>(weights.shape[0])); }

  const Node& node_;
  const Types& types_;
  const TensorType& out_;
};

// Whether the result is made of elements that are chosen from input 0: the rest of it is not read.
bool picks_from_first(const Node& node) {
  constexpr std::string_view kPicking[] = {"gather", "gather_nd", "gather_elements", "slice"};
  return std::ranges::find(kPicking, node.op->family) != std::end(kPicking);
}

// What is read of memory. A value that is given more than once is read once; of one that attention reads columns of, those.
double bytes_read(const Node& node, const Types& types) {
  std::optional<AttentionGeometry> attention;
  if (node.op->family == "attention") attention = attention_of(node, types);
  std::map<ValueId, double> bytes;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!has(node, i) || !reads_memory(node, i, types)) continue;
    const TensorType& type = types[node.inputs[i]];
    auto whole = static_cast<double>(type.bytes());
    if (i == 0 && picks_from_first(node)) whole = std::min(whole, static_cast<double>(types[node.outputs.front()].bytes()));
    const double part = attention ? attention_elements(*attention, i) * static_cast<double>(bits_of(type.dtype)) / 8 : 0;
    double& sum = bytes[node.inputs[i]];
    sum = part > 0 ? std::min(sum + part, whole) : whole;
  }
  double sum = 0;
  for (const auto& [value, read] : bytes) sum += read;
  return sum;
}

}  // namespace

Work work_of(const Node& node, const Types& types, Precision precision) {
  Work work{.bytes = bytes_read(node, types), .kernels = 1};
  for (const ValueId v : node.outputs)
    if (v != DBK_NONE) work.bytes += static_cast<double>(types[v].bytes());
  if (node.outputs.empty() || node.outputs.front() == DBK_NONE) return work;
  work.flops = NodeFlops(node, types).count();
  const ValueId computed = has_epilogue(node.attrs) ? node.inputs.front() : node.outputs.front();  // an epilogue may cast its product
  work.arithmetic = arithmetic_of(node.op->family, types[computed].dtype, precision);
  return work;
}

}  // namespace dbk
