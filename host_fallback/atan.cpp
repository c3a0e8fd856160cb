// Atan: the inverse tangent.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Atan {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::atan(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_atan = unary_op<FLOATS, Atan>;

}  // namespace dbk
