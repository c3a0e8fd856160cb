// FusedMatMul (made by passes): MatMul with an epilogue.
#include "host_fallback/epilogue.h"

namespace dbk {

constinit const HostOp host_fused_matmul = with_epilogue<host_matmul, FLOATS>;

}  // namespace dbk
