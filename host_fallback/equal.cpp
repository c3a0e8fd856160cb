// Equal: a == b. A NaN equals nothing.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct Equal {
  template <class A>
  bool operator()(A a, A b) const {
    return a == b;
  }
};
}  // namespace

extern constinit const HostOp host_equal = compare_op<PLAIN, Equal>;

}  // namespace dbk
