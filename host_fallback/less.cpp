// Less: a < b. Nothing is less than a NaN, nor it than anything.
#include "host_fallback/binary.h"

namespace dbk {

namespace {
struct Less {
  template <class A>
  bool operator()(A a, A b) const {
    return a < b;
  }
};
}  // namespace

extern constinit const HostOp host_less = compare_op<NUMBERS, Less>;

}  // namespace dbk
