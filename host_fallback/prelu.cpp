// PRelu: x for x >= 0, slope * x below; the slope broadcasts to x. Integers wrap.
#include "host_fallback/binary.h"
#include "host_fallback/ring.h"

namespace dbk {

namespace {

struct PRelu {
  template <class A>
  A operator()(A x, A slope) const {
    return x < A(0) ? static_cast<A>(static_cast<Ring<A>>(x) * static_cast<Ring<A>>(slope)) : x;
  }
};

void infer(Infer& infer) {
  infer_binary(infer);
  if (broadcast(infer.shape(0), infer.shape(1)) != infer.shape(0))
    fail(DBK_INVALID_ARGUMENT, "slope of shape {} does not broadcast to x of shape {}", to_string(infer.shape(1)), to_string(infer.shape(0)));
}

constexpr DTypeSet kTypes = FLOATS | I32 | I64 | U32 | U64;

}  // namespace

extern constinit const HostOp host_prelu{kTypes, 0, infer, compute_binary<kTypes, PRelu>};

}  // namespace dbk
