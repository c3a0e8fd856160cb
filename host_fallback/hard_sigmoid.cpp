// HardSigmoid: max(0, min(1, alpha * x + beta)). A NaN stays.
#include <algorithm>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct HardSigmoid {
  double alpha, beta;
  explicit HardSigmoid(const Attributes& attrs) : alpha(attrs.real("alpha")), beta(attrs.real("beta")) {}
  template <class A>
  A operator()(A x) const {
    return std::clamp(static_cast<A>(alpha) * x + static_cast<A>(beta), A(0), A(1));
  }
};
}  // namespace

extern constinit const HostOp host_hard_sigmoid = unary_op<FLOATS, HardSigmoid>;

}  // namespace dbk
