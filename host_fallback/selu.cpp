// Selu: gamma * x for x > 0, gamma * alpha * (exp(x) - 1) below; in double, rounded once.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Selu {
  double alpha, gamma;
  explicit Selu(const Attributes& attrs) : alpha(attrs.real("alpha")), gamma(attrs.real("gamma")) {}
  template <class A>
  A operator()(A x) const {
    const double d = static_cast<double>(x);
    return static_cast<A>(gamma * (d < 0 ? alpha * std::expm1(d) : d));
  }
};
}  // namespace

extern constinit const HostOp host_selu = unary_op<FLOATS, Selu>;

}  // namespace dbk
