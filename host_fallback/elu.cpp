// Elu: x for x >= 0, alpha * (exp(x) - 1) below; in double, rounded once.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Elu {
  double alpha;
  explicit Elu(const Attributes& attrs) : alpha(attrs.real("alpha")) {}
  template <class A>
  A operator()(A x) const {
    return x < A(0) ? static_cast<A>(alpha * std::expm1(static_cast<double>(x))) : x;
  }
};
}  // namespace

extern constinit const HostOp host_elu = unary_op<FLOATS, Elu>;

}  // namespace dbk
