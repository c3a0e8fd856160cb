// HardSwish: x * (max(0, min(6, x + 3)) / 6), in that order, so that large x does not overflow.
#include <algorithm>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct HardSwish {
  template <class A>
  A operator()(A x) const {
    return x * (std::clamp(x + A(3), A(0), A(6)) / A(6));
  }
};
}  // namespace

extern constinit const HostOp host_hard_swish = unary_op<FLOATS, HardSwish>;

}  // namespace dbk
