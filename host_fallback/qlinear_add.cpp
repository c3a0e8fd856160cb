// QLinearAdd: the sum of what codes stand for.
#include "host_fallback/qlinear_elementwise.h"

namespace dbk {

namespace {

struct Sum {
  float operator()(float a, float b) const { return a + b; }
};

}  // namespace

extern constinit const HostOp host_qlinear_add = qlinear_binary_op<Sum>;

}  // namespace dbk
