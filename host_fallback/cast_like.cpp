// CastLike: every element to the type of the second input, by the rules of Cast.
#include "host_fallback/cast.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const DType dtype = infer.in(1).dtype;
  if (!contains(REAL, dtype)) fail(DBK_UNIMPLEMENTED, "CastLike to {} is not implemented", to_string(dtype));
  conversion_of(infer.attrs());
  infer.out(0, dtype, infer.shape(0));
}

void compute(Compute& c) { cast_elements(c.in(0), c.out(0), conversion_of(c.attrs())); }

}  // namespace

extern constinit const HostOp host_cast_like{.dtypes = REAL, .shape_inputs = 0, .infer = infer, .compute = compute, .type_inputs = 1u << 1};

}  // namespace dbk
