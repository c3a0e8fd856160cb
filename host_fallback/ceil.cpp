// Ceil: the nearest whole number that is not smaller.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Ceil {
  template <class A>
  A operator()(A x) const {
    return std::ceil(x);
  }
};
}  // namespace

extern constinit const HostOp host_ceil = unary_op<FLOATS, Ceil>;

}  // namespace dbk
