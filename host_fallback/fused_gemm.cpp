// FusedGemm (made by passes): Gemm with an epilogue.
#include "host_fallback/epilogue.h"

namespace dbk {

constinit const HostOp host_fused_gemm = with_epilogue<host_gemm, FLOATS>;

}  // namespace dbk
