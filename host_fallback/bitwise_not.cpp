// BitwiseNot: every bit inverted.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct BitwiseNot {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(~x);
  }
};
}  // namespace

extern constinit const HostOp host_bitwise_not = unary_op<INTS, BitwiseNot>;

}  // namespace dbk
