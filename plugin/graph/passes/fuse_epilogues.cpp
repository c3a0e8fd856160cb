// Element-wise nodes behind a product become its epilogue: bias, activation, scale, residual, a cast between f32 and f16. The result keeps
// the product's shape in every run, which has to be proven, and operands lie against it in one of three ways that kernels know
// (plugin/gpu/families/epilogue.h).
#include "plugin/graph/passes/element_region.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

constexpr DTypeSet kProducts = F32 | F16;  // that kernels with epilogues have, and store

std::string_view fused_name(const Node& node) {
  if (node.op && node.op->id == "permuted_matmul") return "fused_permuted_matmul";
  if (!node.op || !node.domain.empty()) return "";
  if (node.op->id == "matmul") return "fused_matmul";
  if (node.op->id == "gemm") return "fused_gemm";
  if (node.op->id == "conv") return "fused_conv";
  return "";
}

bool is_product(const Rewriter& r, const Node& node) {
  if (fused_name(node).empty() || !r.typed(node.inputs[0]) || !r.typed(node.inputs[1]) || !r.typed(node.outputs[0])) return false;
  return contains(kProducts, r.type(node.inputs[0]).dtype) && r.rank(node.inputs[1]) > 1;
}

// One element, or one for each column of the product (channel of a convolution); or the product's own shape.
bool lies_against(const Rewriter& r, ValueId operand, const Node& node) {
  const ValueId product = node.outputs[0];
  const TensorType& type = r.type(operand);
  if (!r.typed(operand) || !contains(kProducts, type.dtype)) return false;
  if (!r.is_weight(operand)) return r.extents().same_shape(operand, product);
  if (type.count() == 1) return true;
  const uint32_t rank = r.rank(product), axis = node.op->id == "conv" ? 1 : rank - 1;
  for (uint32_t d = 0; d < type.shape.rank(); ++d)
    if (type.shape[d] != 1 && d + rank != axis + type.shape.rank()) return false;
  return r.extents().is(r.extents().dim(product, axis), type.count());
}

bool fits(const Rewriter& r, const ElementRegion& region) {
  const Node& product = *region.nodes().front();
  const ValueId value = product.outputs[0], out = region.last().outputs[0];
  if (!is_element_step(r, region.last()) || region.rounds_inside() || region.size() > ElementRegion::kMaxSteps) return false;
  const std::vector<ValueId> operands = region.operands(1);  // the product's own inputs are none, unless a step reads them too
  if (product.inputs.size() + operands.size() > ElementRegion::kMaxOperands) return false;
  const bool placed = std::ranges::all_of(operands, [&](ValueId v) { return lies_against(r, v, product); });
  return placed && r.extents().same_shape(out, value);
}

// Whether the region ends in a cast that doubles what is stored, and that an element-wise node behind it takes in for nothing.
bool widens_for_reader(const Rewriter& r, const ElementRegion& region) {
  const Node& last = region.last();
  if (last.op->family != "cast" || r.type(last.inputs[0]).dtype != DBK_F16) return false;
  const Node* reader = r.sole_reader(last.outputs[0]);
  return reader && is_element_step(r, *reader);
}

bool may_end(const Rewriter& r, const ElementRegion& region) {
  return region.closed() && contains(kProducts, r.type(region.last().outputs[0]).dtype) && !widens_for_reader(r, region);
}

void fuse_behind(Rewriter& r, const Node& product) {
  ElementRegion region(r, product);
  grow_down(region, [&](const ElementRegion& grown) { return fits(r, grown); });
  while (region.size() > 1 && !may_end(r, region)) region.cut(region.size() - 1);
  if (region.size() < 2) return;
  const std::vector<ValueId> operands = region.operands(1);
  std::vector<ValueId> values{product.outputs[0]};
  values.insert(values.end(), operands.begin(), operands.end());
  Attributes attrs = product.attrs;
  attrs.set("product_inputs", static_cast<int64_t>(product.inputs.size()));
  attrs.set("expression", expression_of(std::span(region.nodes()).subspan(1), values));
  std::vector<ValueId> inputs = product.inputs;
  inputs.insert(inputs.end(), operands.begin(), operands.end());
  Node fused = make_fused(fused_name(product), std::move(inputs), {region.last().outputs[0]}, std::move(attrs));
  fused.version = product.version;
  r.replace(region.nodes(), std::move(fused));
}

}  // namespace

void fuse_epilogues(Rewriter& r) {
  for (size_t i = 0, n = r.count(); i < n; ++i)
    if (const Node* node = r.at(i); node && is_product(r, *node)) fuse_behind(r, *node);
}

}  // namespace dbk
