// com.microsoft.FusedMatMul as the host and the kernels see it: alpha A' B' with leading axes that broadcast. A' is A with its last two
// axes swapped on request, and before that, on request, with its first axis moved behind the others but the last.
#pragma once

#include "host_fallback/operand_types.h"

namespace dbk {

struct ScaledOperand {
  Shape batch, batch_strides;
  int64_t rows, columns, row_step, column_step;  // of A' or B'
};

struct ScaledProduct {
  ScaledOperand a, b;
  Shape batch;               // of the result
  Shape a_strides, b_strides;  // along it
  Shape result;
  double alpha;
};

// Throws INVALID_ARGUMENT for operands that do not fit.
ScaledProduct scaled_product(const Attributes& attrs, const OperandTypes& in);

}  // namespace dbk
