// Sigmoid: 1 / (1 + exp(-x)).
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Sigmoid {
  template <class A>
  A operator()(A x) const {
    return elementary::sigmoid(x);
  }
};
}  // namespace

extern constinit const HostOp host_sigmoid = unary_op<FLOATS, Sigmoid>;

}  // namespace dbk
