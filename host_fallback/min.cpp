// Min: the smallest of any number of operands, element by element. A NaN wins, as in NumPy.
#include "host_fallback/binary.h"
#include "host_fallback/lanes.h"

namespace dbk {

namespace {
struct Min {
  template <class A>
  A operator()(A a, A b) const {
    return smaller(a, b);
  }
};
}  // namespace

extern constinit const HostOp host_min = variadic_op<NUMBERS, Min>;

}  // namespace dbk
