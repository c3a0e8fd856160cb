// Div: a / b. Integers are cut toward zero; the lowest one divided by -1 wraps to itself; an integer divisor of 0 is an
// error, found before any work is done.
#include <type_traits>

#include "host_fallback/binary.h"
#include "host_fallback/integer_divisor.h"
#include "host_fallback/ring.h"

namespace dbk {

namespace {

struct Div {
  template <class A>
  A operator()(A a, A b) const {
    if constexpr (std::is_integral_v<A> && std::is_signed_v<A>) {
      if (b == -1) return static_cast<A>(Ring<A>(0) - static_cast<Ring<A>>(a));
    }
    return static_cast<A>(a / b);
  }
};

void compute(Compute& c) {
  with_type<NUMBERS>(c.out(0).type.dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      if (c.out(0).count() > 0) refuse_zeros<T>(c.in(1));
    }
    binary_loop<T>(c.in(0), c.in(1), c.out(0), Div{});
  });
}

}  // namespace

extern constinit const HostOp host_div{NUMBERS, 0, infer_binary, compute};

}  // namespace dbk
