// Cos: the cosine.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Cos {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::cos(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_cos = unary_op<FLOATS, Cos>;

}  // namespace dbk
