// FusedPermutedMatMul (made by passes): PermutedMatMul with an epilogue.
#include "host_fallback/epilogue.h"
#include "host_fallback/host_ops.h"

namespace dbk {

extern constinit const HostOp host_fused_permuted_matmul = with_epilogue<host_permuted_matmul, FLOATS>;

}  // namespace dbk
