// Sqrt: square root; NaN below 0.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Sqrt {
  template <class A>
  A operator()(A x) const {
    return std::sqrt(x);
  }
};
}  // namespace

extern constinit const HostOp host_sqrt = unary_op<FLOATS, Sqrt>;

}  // namespace dbk
