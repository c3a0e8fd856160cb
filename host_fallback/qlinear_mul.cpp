// QLinearMul: the product of what codes stand for.
#include "host_fallback/qlinear_elementwise.h"

namespace dbk {

namespace {

struct Product {
  float operator()(float a, float b) const { return a * b; }
};

}  // namespace

extern constinit const HostOp host_qlinear_mul = qlinear_binary_op<Product>;

}  // namespace dbk
