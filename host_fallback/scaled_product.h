// com.microsoft.FusedMatMul and ai.daybreak.PermutedMatMul as the host and the kernels see them: alpha A' B' with leading axes that
// broadcast. A' is A with its axes in another order: that of attribute permA; or its last two are swapped on request, and before that,
// on request, its first moves behind the others but the last.
#pragma once

#include "host_fallback/operand_types.h"

namespace dbk {

struct ScaledOperand {
  Shape batch, batch_strides;
  int64_t rows, columns, row_step, column_step;  // of A' or B'
  enum class Neighbours : uint8_t { AlongRows, AlongColumns, Apart };
  Neighbours neighbours = Neighbours::AlongRows;  // where elements are neighbours in memory: by the order of axes, whatever their extents
  bool in_order = true;  // axes are seen in the order in which they lie
};

struct ScaledProduct {
  ScaledOperand a, b;
  Shape batch;               // of the result
  Shape a_strides, b_strides;  // along it
  Shape result;
  double alpha;
};

// Throws INVALID_ARGUMENT for operands that do not fit. Allocates nothing.
ScaledProduct scaled_product(const Attributes& attrs, const OperandTypes& in);

// Both halves of such an op, for FLOATS.
void infer_scaled_product(Infer& infer);
void compute_scaled_product(Compute& c);

}  // namespace dbk
