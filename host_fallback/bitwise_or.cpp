// BitwiseOr: the bits that either has.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct BitwiseOr {
  template <class A>
  A operator()(A a, A b) const {
    return static_cast<A>(a | b);
  }
};
}  // namespace

extern constinit const HostOp host_bitwise_or = binary_op<INTS, BitwiseOr>;

}  // namespace dbk
