// Shrink: what is further than lambd from zero comes nearer by bias, the rest is 0, NaN included. Of integers the real result is cut off
// toward zero, and a bound of their type where that cannot hold it.
#include "host_fallback/number_cast.h"
#include "host_fallback/unary.h"

namespace dbk {

namespace {
struct Shrink {
  double lambd, bias;
  explicit Shrink(const Attributes& attrs) : lambd(attrs.real("lambd")), bias(attrs.real("bias")) {}
  template <class A>
  A operator()(A x) const {
    using Real = std::conditional_t<std::is_integral_v<A>, long double, A>;  // a double cannot hold every integer of 64 bits
    const auto real = static_cast<Real>(x), by = static_cast<Real>(bias);
    if (real < static_cast<Real>(-lambd)) return number_cast<A>(real + by);
    if (real > static_cast<Real>(lambd)) return number_cast<A>(real - by);
    return A(0);
  }
};
}  // namespace

extern constinit const HostOp host_shrink = unary_op<NUMBERS, Shrink>;

}  // namespace dbk
