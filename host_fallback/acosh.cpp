// Acosh: the inverse hyperbolic cosine; NaN below 1.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Acosh {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::acosh(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_acosh = unary_op<FLOATS, Acosh>;

}  // namespace dbk
