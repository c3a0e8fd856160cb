// Floor: the nearest whole number that is not larger.
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Floor {
  template <class A>
  A operator()(A x) const {
    return std::floor(x);
  }
};
}  // namespace

extern constinit const HostOp host_floor = unary_op<FLOATS, Floor>;

}  // namespace dbk
