// BitwiseXor: the bits that exactly one has.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct BitwiseXor {
  template <class A>
  A operator()(A a, A b) const {
    return static_cast<A>(a ^ b);
  }
};
}  // namespace

extern constinit const HostOp host_bitwise_xor = binary_op<INTS, BitwiseXor>;

}  // namespace dbk
