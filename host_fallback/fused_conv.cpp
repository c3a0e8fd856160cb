// FusedConv (made by passes): Conv with an epilogue.
#include "host_fallback/epilogue.h"
#include "host_fallback/host_ops.h"

namespace dbk {

extern constinit const HostOp host_fused_conv = with_epilogue<host_conv, FLOATS>;

}  // namespace dbk
