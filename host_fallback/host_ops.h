// Declarations of every host op, from the rows of kernels/ops.inc, for the registry: a row whose file does not define its op
// fails to link. Ops themselves do not include this, or each new row would compile all of them again; they say `extern`.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

#define DBK_OP(id, domain_name, name, family, gpu_dtypes, tolerance, range) extern const HostOp host_##id;
#include "kernels/fused_ops.inc"
#include "kernels/ops.inc"
#undef DBK_OP

}  // namespace dbk
