// FusedGemm (made by passes): Gemm with an epilogue.
#include "host_fallback/epilogue.h"
#include "host_fallback/host_ops.h"

namespace dbk {

extern constinit const HostOp host_fused_gemm = with_epilogue<host_gemm, FLOATS>;

}  // namespace dbk
