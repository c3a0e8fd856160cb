// Sin: the sine.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Sin {
  template <class A>
  A operator()(A x) const {
    return static_cast<A>(std::sin(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_sin = unary_op<FLOATS, Sin>;

}  // namespace dbk
