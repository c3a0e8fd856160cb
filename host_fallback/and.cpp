// And: both are true.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct And {
  template <class A>
  bool operator()(A a, A b) const {
    return a && b;
  }
};
}  // namespace

extern constinit const HostOp host_and = compare_op<BOOL, And>;

}  // namespace dbk
