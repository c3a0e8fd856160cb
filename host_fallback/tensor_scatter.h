// TensorScatter as the host and the kernel see it: the cache is [batch, outer, extent, inner], the update has `length` instead of
// `extent`.
#pragma once

#include "host_fallback/operand_types.h"

namespace dbk {

struct TensorScatter {
  int64_t batch = 1, outer = 1, extent = 1, inner = 1, length = 1;
  bool circular = false;  // behind the last position comes the first; else updates must fit
};

// Throws INVALID_ARGUMENT for operands that do not fit.
TensorScatter tensor_scatter_of(const Attributes& attrs, const OperandTypes& in);

}  // namespace dbk
