// The matrix product behind MatMul and Gemm: its extents and strides as numbers. Several kernels compute it (product_kernel.h);
// matmul_choice.h chooses between them. Integers have one simple program.
#pragma once

#include "host_fallback/column_parts.h"
#include "host_fallback/strided.h"
#include "plugin/gpu/families/product_text.h"
#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr uint32_t kBatchDims = 4;

// k in parts of so many steps, the last of what is left, where C is to be the sums over each (split_k.h).
struct DepthCut {
  int64_t parts = 1, steps = 0;  // 0 steps: nothing is cut

  bool partial() const { return steps > 0; }
};

struct Product {
  DType dtype;
  int64_t m, n, k;
  bool trans_a, trans_b;  // stored as columns; never changes, where equal strides may come and go with an extent of 1
  int64_t a_row, a_k, b_k, b_column;  // strides in elements
  StridedLoop<2> batch;               // strides of A and B
  bool has_d = false;                 // Gemm's C, input 2
  int64_t d_row = 0, d_column = 0;
  float alpha = 1, beta = 1;
  Epilogue epilogue;
  ColumnParts parts;     // of C, each a result of its own; none: C is the result
  bool b_fixed = false;   // B is a weight: n, k and its strides never change
  bool fixed = false;     // nothing of it ever changes
  bool b_matrix = false;  // one matrix, whatever its axes of 1
  Precision precision = Precision::F32;
  const PrecisionVerdict* verdict = nullptr;  // on B
  std::vector<Panel> panels;  // of B
  DepthCut cut;

  ProductForm form() const { return {dtype, alpha != 1, has_d, epilogue, parts.count > 0 ? static_cast<uint32_t>(parts.count) : 1, cut.partial()}; }
  bool fixed_nk() const { return b_fixed || fixed; }
  DType stored() const { return epilogue.stored(dtype); }  // in C
  int64_t elements() const { return batch.extent.count() * m * n; }  // of C, with all its parts
  uint64_t sum_bytes() const { return static_cast<uint64_t>(elements()) * sizeof(float); }  // of C in f32
};

// MatMul's product: vectors are promoted, and a batch of A over one B becomes rows.
Product matmul_product(const TypedNode& node, const Capabilities& caps);
Product gemm_product(const TypedNode& node, const Capabilities& caps);

inline bool b_is_weight(const TypedNode& node) { return node.is_weight.size() > 1 && node.is_weight[1]; }

std::string refuse_product(const TypedNode& node, const Product& product, const Capabilities& caps);
void product_programs(const Product& product, const Capabilities& caps, std::vector<Program>& out);
void product_launch(const Product& product, const Capabilities& caps, std::vector<Dispatch>& out);
Choice product_choice(const TypedNode& node, const Product& product, const Capabilities& caps);
std::optional<Rounding> product_rounding(const TypedNode& node, const Product& product, const Capabilities& caps);
KernelTrials product_trials(const Product& product, const Capabilities& caps);

// How B is stored: as the kernel wants it that will read it where it is a weight, else as it is; in panels where it is a weight too large for
// a binding. Empty where it cannot be. Does not look at product.panels.
std::vector<Panel> product_panels(const Product& product, const TensorType& b, const Capabilities& caps);

// The panels of input B for Family::panels: those of the product, or the whole of B as it is.
std::vector<Panel> panels_of_input(const Product& product, const TensorType& b);

}  // namespace dbk::gpu
