// Asin: the inverse sine; NaN outside [-1, 1].
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Asin {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::asin(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_asin = unary_op<FLOATS, Asin>;

}  // namespace dbk
