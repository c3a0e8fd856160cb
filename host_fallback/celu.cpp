// Celu: x for x >= 0, alpha * (exp(x / alpha) - 1) below; in double, rounded once.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Celu {
  double alpha;
  explicit Celu(const Attributes& attrs) : alpha(attrs.real("alpha")) {}
  template <class A>
  A operator()(A x) const {
    return x < A(0) ? static_cast<A>(alpha * std::expm1(static_cast<double>(x) / alpha)) : x;
  }
};
}  // namespace

extern constinit const HostOp host_celu = unary_op<FLOATS, Celu>;

}  // namespace dbk
