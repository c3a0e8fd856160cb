// QLinearLeakyRelu: x where positive, alpha x where not, of what codes stand for.
#include "host_fallback/qlinear_elementwise.h"

namespace dbk {

namespace {

struct LeakyRelu {
  float alpha;
  explicit LeakyRelu(const Attributes& attrs) : alpha(static_cast<float>(attrs.real("alpha"))) {}
  float operator()(float x) const { return x < 0 ? alpha * x : x; }
};

}  // namespace

extern constinit const HostOp host_qlinear_leaky_relu = qlinear_unary_op<LeakyRelu>;

}  // namespace dbk
