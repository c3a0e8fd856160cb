// Cosh: the hyperbolic cosine.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Cosh {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::cosh(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_cosh = unary_op<FLOATS, Cosh>;

}  // namespace dbk
