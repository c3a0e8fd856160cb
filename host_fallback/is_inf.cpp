// IsInf: true where x is infinite; detect_negative = 0 leaves out -inf, detect_positive = 0 inf.
#include <limits>

#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct IsInf {
  bool negative, positive;
  explicit IsInf(const Attributes& attrs)
      : negative(attrs.integer("detect_negative") != 0), positive(attrs.integer("detect_positive") != 0) {}
  template <class A>
  bool operator()(A x) const {
    constexpr A inf = std::numeric_limits<A>::infinity();
    return (positive && x == inf) || (negative && x == -inf);
  }
};
}  // namespace

extern constinit const HostOp host_is_inf = float_predicate_op<IsInf>;

}  // namespace dbk
