// Gemm: alpha A' B' + beta C for matrices, transposed by strides; C broadcasts by strides.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

namespace {

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  return refuse_product(node, gemm_product(node, caps), caps);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  product_programs(gemm_product(node, caps), caps, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  product_launch(gemm_product(node, caps), caps, out);
}

std::vector<Panel> panels(const TypedNode& node, const Capabilities& caps, uint32_t input) {
  if (input != 1) return {whole(node.inputs[input])};
  return panels_of_input(gemm_product(node, caps), node.inputs[1]);
}

Choice choice(const TypedNode& node, const Capabilities& caps) { return product_choice(node, gemm_product(node, caps), caps); }

std::optional<Rounding> rounding(const TypedNode& node, const Capabilities& caps) { return product_rounding(node, gemm_product(node, caps), caps); }

KernelTrials trials(const TypedNode& node, const Capabilities& caps) { return product_trials(gemm_product(node, caps), caps); }

}  // namespace

Product gemm_product(const TypedNode& node, const Capabilities& caps) {
  const Shape &a = node.inputs[0].shape, &b = node.inputs[1].shape;
  const bool trans_a = node.attrs->integer("transA") != 0, trans_b = node.attrs->integer("transB") != 0;
  Product p{
      node.inputs[0].dtype,    a[trans_a ? 1 : 0], b[trans_b ? 0 : 1], a[trans_a ? 0 : 1], trans_a, trans_b, 0, 0, 0, 0,
      {{}, {Shape{}, Shape{}}}};
  p.a_row = trans_a ? 1 : p.k, p.a_k = trans_a ? p.m : 1;
  p.b_k = trans_b ? 1 : p.n, p.b_column = trans_b ? p.k : 1;
  p.alpha = static_cast<float>(node.attrs->real("alpha"));
  p.epilogue = epilogue_of(node);
  p.has_d = own_inputs(node) > 2 && node.has(2);
  if (p.has_d) {
    const Shape strides = broadcast_strides(node.inputs[2].shape, {p.m, p.n});
    p.beta = static_cast<float>(node.attrs->real("beta"));
    p.d_row = strides[0], p.d_column = strides[1];
  }
  p.b_fixed = node.is_weight.size() > 1 && node.is_weight[1];
  p.b_matrix = true;
  p.precision = node.precision, p.verdict = node.verdict;
  p.fixed = node.fixed_extents;
  p.panels = product_panels(p, node.inputs[1], caps);
  return p;
}

constinit const Family kGemm{"gemm", refuse, programs, launch, panels, choice, rounding, trials};

}  // namespace dbk::gpu
