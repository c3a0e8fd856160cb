// Shrink: what is further than lambd from zero comes nearer by bias, the rest is 0, NaN included.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Shrink {
  double lambd, bias;
  explicit Shrink(const Attributes& attrs) : lambd(attrs.real("lambd")), bias(attrs.real("bias")) {}
  template <class A>
  A operator()(A x) const {
    if (static_cast<double>(x) < -lambd) return static_cast<A>(x + static_cast<A>(bias));
    if (static_cast<double>(x) > lambd) return static_cast<A>(x - static_cast<A>(bias));
    return A(0);
  }
};
}  // namespace

extern constinit const HostOp host_shrink = unary_op<FLOATS | I8 | I16 | I32 | I64, Shrink>;

}  // namespace dbk
