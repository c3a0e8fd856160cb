// Tan: the tangent.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Tan {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::tan(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_tan = unary_op<FLOATS, Tan>;

}  // namespace dbk
