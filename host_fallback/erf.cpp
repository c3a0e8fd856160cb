// Erf: the error function. Of integers the result is cut to an integer again, as the schema wants: -1, 0 or 1.
#include "host_fallback/elementary.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Erf {
  template <class A>
  A operator()(A x) const {
    if constexpr (std::is_floating_point_v<A>)
      return elementary::erf(x);
    else
      return static_cast<A>(std::erf(static_cast<double>(x)));
  }
};
}  // namespace

extern constinit const HostOp host_erf = unary_op<NUMBERS, Erf>;

}  // namespace dbk
