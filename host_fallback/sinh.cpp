// Sinh: the hyperbolic sine.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Sinh {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::sinh(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_sinh = unary_op<FLOATS, Sinh>;

}  // namespace dbk
