// BitwiseAnd: the bits that both have.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct BitwiseAnd {
  template <class A>
  A operator()(A a, A b) const {
    return static_cast<A>(a & b);
  }
};
}  // namespace

extern constinit const HostOp host_bitwise_and = binary_op<INTS, BitwiseAnd>;

}  // namespace dbk
