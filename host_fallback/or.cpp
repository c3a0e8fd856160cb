// Or: at least one is true.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct Or {
  template <class A>
  bool operator()(A a, A b) const {
    return a || b;
  }
};
}  // namespace

extern constinit const HostOp host_or = compare_op<BOOL, Or>;

}  // namespace dbk
