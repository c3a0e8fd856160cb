// Reciprocal: 1 / x; infinite at 0.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Reciprocal {
  template <class A>
  A operator()(A x) const {
    return A(1) / x;
  }
};
}  // namespace

extern constinit const HostOp host_reciprocal = unary_op<FLOATS, Reciprocal>;

}  // namespace dbk
