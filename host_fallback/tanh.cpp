// Tanh: hyperbolic tangent.
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Tanh {
  template <class A>
  A operator()(A x) const {
    return elementary::tanh(x);
  }
};
}  // namespace

extern constinit const HostOp host_tanh = unary_op<FLOATS, Tanh>;

}  // namespace dbk
