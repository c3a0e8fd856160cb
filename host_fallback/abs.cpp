// Abs: |x|. The lowest integer has no absolute value and stays as it is.
#include <cmath>

#include "host_fallback/ring.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Abs {
  template <class A>
  A operator()(A x) const {
    if constexpr (std::is_floating_point_v<A>)
      return std::fabs(x);
    else if constexpr (std::is_signed_v<A>)
      return x < 0 ? static_cast<A>(Ring<A>(0) - static_cast<Ring<A>>(x)) : x;
    else
      return x;
  }
};
}  // namespace

extern constinit const HostOp host_abs = unary_op<NUMBERS, Abs>;

}  // namespace dbk
