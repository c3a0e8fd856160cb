// Softplus: log(1 + exp(x)), as max(x, 0) + log(1 + exp(-|x|)), which neither overflows nor cancels; in double, rounded
// once.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Softplus {
  template <class A>
  A operator()(A x) const {
    const double d = static_cast<double>(x), larger = d < 0 ? 0 : d;  // a NaN stays
    return static_cast<A>(larger + std::log1p(std::exp(-std::fabs(d))));
  }
};
}  // namespace

extern constinit const HostOp host_softplus = unary_op<FLOATS, Softplus>;

}  // namespace dbk
