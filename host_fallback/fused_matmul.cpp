// FusedMatMul (made by passes): MatMul with an epilogue.
#include "host_fallback/epilogue.h"
#include "host_fallback/host_ops.h"

namespace dbk {

extern constinit const HostOp host_fused_matmul = with_epilogue<host_matmul, FLOATS>;

}  // namespace dbk
