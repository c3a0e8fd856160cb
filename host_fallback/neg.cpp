// Neg: -x. The lowest integer has no negative and stays as it is.
#include "host_fallback/ring.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Neg {
  template <class A>
  A operator()(A x) const {
    if constexpr (std::is_integral_v<A>)
      return static_cast<A>(Ring<A>(0) - static_cast<Ring<A>>(x));
    else
      return -x;
  }
};
}  // namespace

extern constinit const HostOp host_neg = unary_op<FLOATS | I8 | I16 | I32 | I64, Neg>;

}  // namespace dbk
