// Mish: x * tanh(log(1 + exp(x))), in double, rounded once. With e = exp(x) that is x (e^2 + 2 e) / (e^2 + 2 e + 2).
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Mish {
  template <class A>
  A operator()(A x) const {
    const double d = static_cast<double>(x), e = std::exp(d < 0 ? d : -d), n = d < 0 ? e * (e + 2) : 1 + 2 * e;
    return static_cast<A>(d * (n / (n + (d < 0 ? 2 : 2 * e * e))));
  }
};
}  // namespace

extern constinit const HostOp host_mish = unary_op<FLOATS, Mish>;

}  // namespace dbk
