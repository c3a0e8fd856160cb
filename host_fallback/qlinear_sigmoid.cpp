// QLinearSigmoid: 1 / (1 + e^-x) of what codes stand for.
#include "host_fallback/elementary.h"
#include "host_fallback/qlinear_elementwise.h"

namespace dbk {

namespace {

struct Sigmoid {
  float operator()(float x) const { return elementary::sigmoid(x); }
};

}  // namespace

extern constinit const HostOp host_qlinear_sigmoid = qlinear_unary_op<Sigmoid>;

}  // namespace dbk
