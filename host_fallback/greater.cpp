// Greater: a > b, false where one is NaN.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct Greater {
  template <class A>
  bool operator()(A a, A b) const {
    return a > b;
  }
};
}  // namespace

extern constinit const HostOp host_greater = compare_op<NUMBERS, Greater>;

}  // namespace dbk
