// IsNaN: true where x is NaN.
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct IsNaN {
  template <class A>
  bool operator()(A x) const {
    return x != x;
  }
};
}  // namespace

extern constinit const HostOp host_is_nan = float_predicate_op<IsNaN>;

}  // namespace dbk
