// MatMul: vectors are promoted to matrices, batch dimensions broadcast by strides, and a batch over one B is one tall
// product. SplitMatMul: the same with several results.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

namespace {

// A matrix operand: its batch dimensions and its last two, a vector having a one in front (A) or behind (B).
struct Matrix {
  Shape batch;
  int64_t rows, columns;
};

Matrix matrix_of(const Shape& shape, bool is_a) {
  if (shape.rank() == 1) return is_a ? Matrix{{}, 1, shape[0]} : Matrix{{}, shape[0], 1};
  const uint32_t rank = shape.rank();
  Matrix m{{}, shape[rank - 2], shape[rank - 1]};
  for (uint32_t d = 0; d + 2 < rank; ++d) m.batch.push_back(shape[d]);
  return m;
}

Shape batch_strides(const Matrix& matrix, const Shape& batch) {
  Shape strides = broadcast_strides(matrix.batch, batch);
  for (int64_t& s : strides) s *= matrix.rows * matrix.columns;
  return strides;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  return refuse_product(node, matmul_product(node, caps), caps);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  product_programs(matmul_product(node, caps), caps, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  product_launch(matmul_product(node, caps), caps, out);
}

std::vector<Panel> panels(const TypedNode& node, const Capabilities& caps, uint32_t input) {
  if (input != 1) return {whole(node.inputs[input])};
  return panels_of_input(matmul_product(node, caps), node.inputs[1]);
}

Choice choice(const TypedNode& node, const Capabilities& caps) { return product_choice(node, matmul_product(node, caps), caps); }

std::optional<Rounding> rounding(const TypedNode& node, const Capabilities& caps) { return product_rounding(node, matmul_product(node, caps), caps); }

KernelTrials trials(const TypedNode& node, const Capabilities& caps) { return product_trials(matmul_product(node, caps), caps); }

}  // namespace

Product matmul_product(const TypedNode& node, const Capabilities& caps) {
  const Matrix a = matrix_of(node.inputs[0].shape, true), b = matrix_of(node.inputs[1].shape, false);
  const Shape batch = broadcast(a.batch, b.batch);
  Product p{node.inputs[0].dtype,
            a.rows,
            b.columns,
            a.columns,
            false,
            false,
            a.columns,
            1,
            b.columns,
            1,
            {batch, {batch_strides(a, batch), batch_strides(b, batch)}}};
  if (b.batch.count() == 1) {
    p.m *= batch.count();
    p.batch = {{}, {Shape{}, Shape{}}};
  }
  p.epilogue = epilogue_of(node);
  p.parts = column_parts(*node.attrs);
  p.b_fixed = node.is_weight.size() > 1 && node.is_weight[1];
  p.b_matrix = node.inputs[1].shape.rank() >= 2 && b.batch.count() == 1;
  p.precision = node.precision, p.verdict = node.verdict;
  p.fixed = node.fixed_extents;
  p.panels = product_panels(p, node.inputs[1], caps);
  return p;
}

constinit const Family kMatmul{"matmul", refuse, programs, launch, panels, choice, rounding, trials};

}  // namespace dbk::gpu
