// com.microsoft.FusedMatMul: a product of matrices, either transposed by strides, times a number.
#include "host_fallback/scaled_product.h"

namespace dbk {

extern constinit const HostOp host_microsoft_fused_matmul{FLOATS, 0, infer_scaled_product, compute_scaled_product};

}  // namespace dbk
