#include "plugin/cpu/onednn_problem.h"

#include <algorithm>

#include "host_fallback/column_parts.h"
#include "host_fallback/epilogue.h"
#include "host_fallback/scaled_product.h"
#include "host_fallback/strided.h"
#include "plugin/cpu/onednn_layout.h"
#include "plugin/cpu/onednn_scratch.h"

namespace dbk {

namespace {

using dnnl::memory;

// Rank-equal views of ONNX MatMul operands: 1-D operands become matrices, leading dimensions are filled with ones.
OnednnProblem matmul_problem(const Shape& a, const Shape& b, const Shape& c) {
  OnednnProblem p;
  p.a.assign(a.begin(), a.end());
  p.b.assign(b.begin(), b.end());
  p.c.assign(c.begin(), c.end());
  if (a.rank() == 1) p.a = {1, a[0]}, p.c.insert(p.c.end() - (b.rank() == 1 ? 0 : 1), 1);
  if (b.rank() == 1) p.b = {b[0], 1}, p.c.push_back(1);
  const size_t rank = std::max(p.a.size(), p.b.size());
  p.a.insert(p.a.begin(), rank - p.a.size(), 1);
  p.b.insert(p.b.begin(), rank - p.b.size(), 1);
  // One weight for all: the batch is only more rows.
  if (b.rank() <= 2 && rank > 2) {
    const int64_t k = p.a.back(), n = p.b.back();
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < rank; ++i) rows *= p.a[i];
    p.a = {rows, k}, p.b = {k, n}, p.c = {rows, n};
  }
  p.a_strides = onednn_dense_strides(p.a);
  p.b_strides = onednn_dense_strides(p.b);
  return p;
}

OnednnProblem gemm_problem(const Node& node, std::span<const TensorType> in, const Shape& out) {
  OnednnProblem p;
  const Shape& a = in[0].shape;
  const Shape& b = in[1].shape;
  const bool ta = node.attrs.integer("transA") != 0, tb = node.attrs.integer("transB") != 0;
  p.a = ta ? memory::dims{a[1], a[0]} : memory::dims{a[0], a[1]};
  p.b = tb ? memory::dims{b[1], b[0]} : memory::dims{b[0], b[1]};
  p.a_strides = ta ? memory::dims{1, a[1]} : memory::dims{a[1], 1};
  p.b_strides = tb ? memory::dims{1, b[1]} : memory::dims{b[1], 1};
  p.c.assign(out.begin(), out.end());
  if (in.size() > 2 && in[2].dtype != DBK_DTYPE_NONE) {
    p.bias.assign(in[2].shape.begin(), in[2].shape.end());
    p.bias.insert(p.bias.begin(), 2 - p.bias.size(), 1);
  }
  return p;
}

// Axes of its batch that can be walked as one are one.
StridedLoop<2> batch_of(const ScaledProduct& s) { return {s.batch, {s.a_strides, s.b_strides}}; }

// Whether the first axis of the batch that an operand has lies outermost in it.
bool is_outermost(const ScaledOperand& o, const Shape& strides) {
  const auto first = std::ranges::find_if(strides, [](int64_t stride) { return stride != 0; });
  const int64_t widest = std::max({std::ranges::max(strides), o.rows > 1 ? o.row_step : 0, o.columns > 1 ? o.column_step : 0});
  return first == strides.end() || *first == widest;
}

// Of a batch of several axes oneDNN 3.12 takes wrong matrices where these lie in another order than they count, in most orders only where some
// extents are equal. All of two axes are right, for extents up to 5, where the first lies outermost.
bool finds_matrices(const ScaledProduct& s) {
  const StridedLoop<2> batch = batch_of(s);
  if (batch.extent.rank() < 2) return true;
  return batch.extent.rank() == 2 && is_outermost(s.a, batch.strides[0]) && is_outermost(s.b, batch.strides[1]);
}

// Operands with axes in an order of their own. Where an operand has an extent of 1, its stride has no meaning.
OnednnProblem scaled_problem(const Node& node, std::span<const TensorType> in) {
  const ScaledProduct s = scaled_product(node.attrs, OperandTypes(in.first(2)));
  const StridedLoop<2> batch = batch_of(s);
  OnednnProblem p;
  const auto set = [&](const ScaledOperand& o, size_t operand, memory::dims& dims, memory::dims& strides) {
    for (uint32_t d = 0; d < batch.extent.rank(); ++d) {
      const int64_t stride = batch.strides[operand][d];
      dims.push_back(stride == 0 ? 1 : batch.extent[d]);
      strides.push_back(stride == 0 ? in[operand].count() : stride);
    }
    dims.insert(dims.end(), {o.rows, o.columns});
    strides.insert(strides.end(), {o.row_step, o.column_step});
  };
  set(s.a, 0, p.a, p.a_strides);
  set(s.b, 1, p.b, p.b_strides);
  p.c.assign(batch.extent.begin(), batch.extent.end());
  p.c.insert(p.c.end(), {s.a.rows, s.b.columns});
  p.alpha = static_cast<float>(s.alpha);
  p.only_fast = true;
  return p;
}

dnnl::matmul::primitive_desc describe_exactly(const dnnl::engine& engine, const OnednnProblem& p) {
  const memory::desc a = stored(p.a, p.a_strides), b = stored(p.b, p.b_strides), c = stored_densely(p.c);
  dnnl::primitive_attr attributes = onednn_attributes();
  dnnl::post_ops steps;
  if (p.alpha != 1) steps.append_eltwise(dnnl::algorithm::eltwise_linear, p.alpha, 0);
  for (const OnednnStep& step : p.steps) steps.append_binary(step.algorithm, stored_densely(step.dims));
  attributes.set_post_ops(steps);
  if (p.bias.empty()) return {engine, a, b, c, attributes};
  return {engine, a, b, stored_densely(p.bias), c, attributes};
}

bool is_fast(const dnnl::matmul::primitive_desc& desc) { return !std::string_view(desc.impl_info_str()).starts_with("ref"); }

OnednnProblem whole_problem(const Node& node, std::span<const TensorType> in, const Shape& out) {
  OnednnProblem p = node.op->family == "gemm"                ? gemm_problem(node, without_epilogue(node.attrs, in), out)
              : node.op->family == "transposed_matmul" ? scaled_problem(node, in)
                                                       : matmul_problem(in[0].shape, in[1].shape, out);
  p.steps = onednn_steps(node, in, p.c);
  return p;
}

// The product with some columns of B, which lie where they lie in B.
OnednnProblem part_problem(const Node& node, std::span<const TensorType> in, const Shape& out, const ColumnParts& parts, size_t i) {
  Shape whole = out;
  whole[whole.rank() - 1] = parts.total();
  OnednnProblem p = matmul_problem(in[0].shape, in[1].shape, whole);
  p.b.back() = p.c.back() = parts.width[i];
  std::vector<TensorType> types(in.begin(), in.end());
  for (size_t e = 2; e < types.size(); ++e) types[e] = meeting_part(types[e], parts, i);
  p.steps = onednn_steps(node, types, p.c);
  return p;
}

}  // namespace

// Work that one thread does in some 40 microseconds is not split: on a busy machine the others may have to be waited for a thousand times
// as long.
int OnednnProblem::threads() const {
  constexpr double kSplitFrom = 4e6;  // floating-point operations
  double work = 2.0 * static_cast<double>(a.back());
  for (int64_t d : c) work *= static_cast<double>(d);
  return work < kSplitFrom ? 1 : 0;
}

dnnl::matmul::primitive_desc describe(const dnnl::engine& engine, OnednnProblem& p) {
  if (!p.steps.empty()) {
    try {
      auto desc = describe_exactly(engine, p);
      if (is_fast(desc)) return desc;
    } catch (const dnnl::error&) {
    }
    p.steps.clear();
  }
  auto desc = describe_exactly(engine, p);
  if (p.only_fast && !is_fast(desc)) throw dnnl::error(dnnl_unimplemented, "only a kernel that takes its time");
  return desc;
}

bool onednn_takes(const Node& node, std::span<const TensorType> in) {
  const bool matmul = node.op->family == "matmul", gemm = node.op->family == "gemm", scaled = node.op->family == "transposed_matmul";
  if ((!matmul && !gemm && !scaled) || in[0].dtype != DBK_F32) return false;
  for (size_t i = 0; i < 2; ++i)
    if (in[i].shape.count() == 0 || in[i].shape.rank() == 0 || in[i].shape.rank() > 8 || (scaled && in[i].shape.rank() < 2)) return false;
  if (scaled && !finds_matrices(scaled_product(node.attrs, OperandTypes(in.first(2))))) return false;
  const ColumnParts parts = column_parts(node.attrs);  // of which each may be empty
  if (parts.count > 0 && in[1].shape.rank() > 2) return false;  // columns of a batched B: oneDNN 3.12 takes wrong ones where k is 1
  for (size_t i = 0; i < parts.count; ++i)
    if (parts.width[i] == 0) return false;
  // oneDNN adds its bias unscaled and accumulates without alpha.
  const bool has_bias = without_epilogue(node.attrs, in).size() > 2 && in[2].dtype != DBK_DTYPE_NONE;
  return !gemm || (node.attrs.real("alpha") == 1.0 && (node.attrs.real("beta") == 1.0 || !has_bias));
}

std::vector<OnednnProblem> onednn_problems(const Node& node, std::span<const TensorType> in, std::span<const TensorType> out) {
  if (!onednn_takes(node, in)) return {};
  const ColumnParts parts = column_parts(node.attrs);
  if (parts.count == 0) return {whole_problem(node, in, out[0].shape)};
  std::vector<OnednnProblem> problems;
  for (size_t i = 0; i < parts.count; ++i) problems.push_back(part_problem(node, in, out[i].shape, parts, i));
  return problems;
}

}  // namespace dbk
