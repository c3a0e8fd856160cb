// Mod: the rest of a / b. With fmod = 1 it has the sign of a, as C's fmod and % have it; otherwise that of b, as in Python,
// which ONNX has for integers alone. An integer divisor of 0 is an error, found before any work is done.
#include <cmath>

#include "host_fallback/binary.h"
#include "host_fallback/integer_divisor.h"

namespace dbk {

namespace {

struct OfDividend {
  template <class A>
  A operator()(A a, A b) const {
    if constexpr (std::is_floating_point_v<A>)
      return std::fmod(a, b);
    else if constexpr (std::is_signed_v<A>)
      return b == -1 ? A(0) : static_cast<A>(a % b);  // the lowest number % -1 would trap
    else
      return static_cast<A>(a % b);
  }
};

struct OfDivisor {
  template <class A>
  A operator()(A a, A b) const {
    const A rest = OfDividend{}(a, b);
    return rest != A(0) && (rest < A(0)) != (b < A(0)) ? static_cast<A>(rest + b) : rest;
  }
};

bool has_sign_of_dividend(const Attributes& attrs) { return attrs.integer("fmod") != 0; }

void infer(Infer& infer) {
  if (contains(FLOATS, infer.in(0).dtype) && !has_sign_of_dividend(infer.attrs()))
    fail(DBK_INVALID_ARGUMENT, "fmod is 0, and the operands are {}: floats need fmod = 1", to_string(infer.in(0).dtype));
  infer_binary(infer);
}

void compute(Compute& c) {
  with_type<NUMBERS>(c.out(0).type.dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      if (c.out(0).count() > 0) refuse_zeros<T>(c.in(1));
    }
    if (has_sign_of_dividend(c.attrs()))
      binary_loop<T>(c.in(0), c.in(1), c.out(0), OfDividend{});
    else if constexpr (std::is_integral_v<T>)
      binary_loop<T>(c.in(0), c.in(1), c.out(0), OfDivisor{});
  });
}

}  // namespace

extern constinit const HostOp host_mod{NUMBERS, 0, infer, compute};

}  // namespace dbk
