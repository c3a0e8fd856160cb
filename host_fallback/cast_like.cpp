// CastLike: every element to the type of the second input, by the rules of Cast.
#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const DType dtype = infer.in(1).dtype;
  if (!contains(PLAIN, dtype)) fail(DBK_UNIMPLEMENTED, "CastLike to {} is not implemented", to_string(dtype));
  infer.out(0, dtype, infer.shape(0));
}

void compute(Compute& c) { cast_elements(c.in(0), c.out(0)); }

}  // namespace

extern constinit const HostOp host_cast_like{.dtypes = PLAIN, .shape_inputs = 0, .infer = infer, .compute = compute, .type_inputs = 1u << 1};

}  // namespace dbk
