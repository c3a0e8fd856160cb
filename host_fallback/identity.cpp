// Identity: a copy.
#include "host_fallback/host_ops.h"
#include "host_fallback/movement.h"

namespace dbk {

namespace {

void infer(Infer& infer) { infer.out(0, infer.in(0).dtype, infer.shape(0)); }

void compute(Compute& c) { copy_bytes(c.in(0).data, c.out(0).data, c.out(0).type.bytes()); }

}  // namespace

constinit const HostOp host_identity{STORED, 0, infer, compute};

}  // namespace dbk
