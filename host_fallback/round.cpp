// Round: the nearest whole number, of two the even one.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Round {
  template <class A>
  A operator()(A x) const {
    return std::nearbyint(x);
  }
};
}  // namespace

extern constinit const HostOp host_round = unary_op<FLOATS, Round>;

}  // namespace dbk
