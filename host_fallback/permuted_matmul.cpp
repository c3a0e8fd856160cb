// PermutedMatMul (made by passes): MatMul of operands that are read with their axes in another order, permA and permB.
#include "host_fallback/scaled_product.h"

namespace dbk {

extern constinit const HostOp host_permuted_matmul{FLOATS, 0, infer_scaled_product, compute_scaled_product};

}  // namespace dbk
