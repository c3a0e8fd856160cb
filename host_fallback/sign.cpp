// Sign: -1, 0 or 1. A NaN stays.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Sign {
  template <class A>
  A operator()(A x) const {
    if (x != x) return x;
    return static_cast<A>(x > A(0)) - static_cast<A>(x < A(0));
  }
};
}  // namespace

extern constinit const HostOp host_sign = unary_op<NUMBERS, Sign>;

}  // namespace dbk
