// ThresholdedRelu: x where it is larger than alpha, 0 elsewhere. A NaN stays.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct ThresholdedRelu {
  double alpha;
  explicit ThresholdedRelu(const Attributes& attrs) : alpha(attrs.real("alpha")) {}
  template <class A>
  A operator()(A x) const {
    return x <= static_cast<A>(alpha) ? A(0) : x;
  }
};
}  // namespace

extern constinit const HostOp host_thresholded_relu = unary_op<FLOATS, ThresholdedRelu>;

}  // namespace dbk
