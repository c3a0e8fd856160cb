// LeakyRelu: x for x >= 0, alpha * x below.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct LeakyRelu {
  double alpha;
  explicit LeakyRelu(const Attributes& attrs) : alpha(attrs.real("alpha")) {}
  template <class A>
  A operator()(A x) const {
    return x < A(0) ? x * static_cast<A>(alpha) : x;
  }
};
}  // namespace

extern constinit const HostOp host_leaky_relu = unary_op<FLOATS, LeakyRelu>;

}  // namespace dbk
