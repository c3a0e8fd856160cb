// Sub: a - b. Integers wrap.
#include "host_fallback/binary.h"
#include "host_fallback/ring.h"

namespace dbk {

namespace {
struct Sub {
  template <class A>
  A operator()(A a, A b) const {
    return static_cast<A>(static_cast<Ring<A>>(a) - static_cast<Ring<A>>(b));
  }
};
}  // namespace

extern constinit const HostOp host_sub = binary_op<NUMBERS, Sub>;

}  // namespace dbk
