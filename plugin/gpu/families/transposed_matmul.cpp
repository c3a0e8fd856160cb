// com.microsoft.FusedMatMul and PermutedMatMul: the product behind MatMul and Gemm with strides of its own. A weight B that is one matrix is stored
// as theirs; batches of matrices are read where they are.
#include "host_fallback/scaled_product.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

namespace {

using enum ScaledOperand::Neighbours;

ScaledProduct scaled_product_of(const TypedNode& node) { return scaled_product(*node.attrs, OperandTypes(node.inputs.first(2))); }

Product product_of(const TypedNode& node, const Capabilities& caps) {
  const ScaledProduct s = scaled_product_of(node);
  Product p{node.inputs[0].dtype, s.a.rows, s.b.columns, s.a.columns, s.a.neighbours == AlongColumns, s.b.neighbours == AlongColumns,
            s.a.row_step, s.a.column_step, s.b.row_step, s.b.column_step, {s.batch, {s.a_strides, s.b_strides}}};
  const bool tall = s.b.batch.count() == 1 && (s.a.in_order || s.batch.rank() == 0);  // a batch of A over one B is one matrix
  if (tall) {
    p.m *= s.batch.count();
    p.batch = {{}, {Shape{}, Shape{}}};
  }
  p.alpha = static_cast<float>(s.alpha);
  p.epilogue = epilogue_of(node);
  p.precision = node.precision, p.verdict = node.verdict;
  p.fixed = node.fixed_extents;
  p.b_fixed = b_is_weight(node);
  p.b_matrix = tall;
  p.panels = product_panels(p, node.inputs[1], caps);
  return p;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  for (const TensorType& type : node.inputs.first(2))
    if (type.shape.rank() < 2) return "products with vectors have no kernel";
  const ScaledProduct s = scaled_product_of(node);
  if (s.a.neighbours == Apart || s.b.neighbours == Apart) return "matrices whose elements are not neighbours, in rows or in columns, have no kernel";
  return refuse_product(node, product_of(node, caps), caps);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) { product_programs(product_of(node, caps), caps, out); }

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) { product_launch(product_of(node, caps), caps, out); }

std::vector<Panel> panels(const TypedNode& node, const Capabilities& caps, uint32_t input) {
  if (input != 1) return {whole(node.inputs[input])};
  return panels_of_input(product_of(node, caps), node.inputs[1]);
}

Choice choice(const TypedNode& node, const Capabilities& caps) { return product_choice(node, product_of(node, caps), caps); }

// Matrices that lie one behind the other are judged.
std::optional<Rounding> rounding(const TypedNode& node, const Capabilities& caps) {
  const ScaledOperand b = scaled_product_of(node).b;
  const bool dense = std::max(b.rows * b.row_step, b.columns * b.column_step) <= b.rows * b.columns;
  return dense ? product_rounding(node, product_of(node, caps), caps) : std::nullopt;
}

KernelTrials trials(const TypedNode& node, const Capabilities& caps) { return product_trials(product_of(node, caps), caps); }

}  // namespace

constinit const Family kTransposedMatmul{"transposed_matmul", refuse, programs, launch, panels, choice, rounding, trials};

}  // namespace dbk::gpu
