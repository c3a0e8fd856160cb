// Acos: the inverse cosine; NaN outside [-1, 1].
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Acos {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::acos(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_acos = unary_op<FLOATS, Acos>;

}  // namespace dbk
