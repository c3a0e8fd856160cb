// LessOrEqual: a <= b, false where one is NaN.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct LessOrEqual {
  template <class A>
  bool operator()(A a, A b) const {
    return a <= b;
  }
};
}  // namespace

extern constinit const HostOp host_less_or_equal = compare_op<NUMBERS, LessOrEqual>;

}  // namespace dbk
