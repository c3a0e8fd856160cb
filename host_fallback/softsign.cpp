// Softsign: x / (1 + |x|).
#include <cmath>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Softsign {
  template <class A>
  A operator()(A x) const {
    return x / (A(1) + std::fabs(x));
  }
};
}  // namespace

extern constinit const HostOp host_softsign = unary_op<FLOATS, Softsign>;

}  // namespace dbk
