// Atanh: the inverse hyperbolic tangent; NaN outside [-1, 1].
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Atanh {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::atanh(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_atanh = unary_op<FLOATS, Atanh>;

}  // namespace dbk
