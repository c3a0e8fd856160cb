// Xor: exactly one is true.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct Xor {
  template <class A>
  bool operator()(A a, A b) const {
    return a != b;
  }
};
}  // namespace

extern constinit const HostOp host_xor = compare_op<BOOL, Xor>;

}  // namespace dbk
