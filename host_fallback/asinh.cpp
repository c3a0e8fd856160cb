// Asinh: the inverse hyperbolic sine.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Asinh {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::asinh(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_asinh = unary_op<FLOATS, Asinh>;

}  // namespace dbk
