// Size: the number of the input's elements.
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) { infer.out(0, DBK_I64, {}); }

void compute(Compute& c) { *c.out(0).as<int64_t>() = c.in(0).count(); }

}  // namespace

extern constinit const HostOp host_size{.dtypes = STORED, .shape_inputs = 0, .infer = infer, .compute = compute, .type_inputs = 1};

}  // namespace dbk
