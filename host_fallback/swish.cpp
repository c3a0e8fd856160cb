// Swish: x / (1 + exp(-alpha * x)); in double, rounded once.
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Swish {
  double alpha;
  explicit Swish(const Attributes& attrs) : alpha(attrs.real("alpha")) {}
  template <class A>
  A operator()(A x) const {
    const double d = static_cast<double>(x);
    return static_cast<A>(d * elementary::sigmoid(alpha * d));
  }
};
}  // namespace

extern constinit const HostOp host_swish = unary_op<FLOATS, Swish>;

}  // namespace dbk
