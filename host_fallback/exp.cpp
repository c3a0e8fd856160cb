// Exp: e to the power x.
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Exp {
  template <class A>
  A operator()(A x) const {
    return elementary::exp(x);
  }
};
}  // namespace

extern constinit const HostOp host_exp = unary_op<FLOATS, Exp>;

}  // namespace dbk
