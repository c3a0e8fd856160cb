// Max: the largest of any number of operands, element by element. A NaN wins, as in NumPy.
#include "host_fallback/binary.h"
#include "host_fallback/lanes.h"

namespace dbk {

namespace {
struct Max {
  template <class A>
  A operator()(A a, A b) const {
    return larger(a, b);
  }
};
}  // namespace

extern constinit const HostOp host_max = variadic_op<NUMBERS, Max>;

}  // namespace dbk
