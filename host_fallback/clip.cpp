// Clip: min(max(x, low), high), so that `high` wins where the bounds cross; a NaN stays. The bounds are attributes before
// version 11, optional inputs 1 and 2 afterwards.
#include <limits>

#include "host_fallback/unary.h"

namespace dbk {

namespace {

template <class A>
struct Clip {
  A low, high;
  A operator()(A x) const {
    const A raised = x < low ? low : x;
    return raised > high ? high : raised;
  }
};

template <class T>
Clip<Acc<T>> bounds_of(const Compute& c) {
  using A = Acc<T>;
  using L = std::numeric_limits<A>;
  Clip<A> clip{L::has_infinity ? static_cast<A>(-L::infinity()) : L::lowest(), L::has_infinity ? L::infinity() : L::max()};
  if (c.version() < 11) {
    clip.low = static_cast<A>(c.attrs().real("min"));
    clip.high = static_cast<A>(c.attrs().real("max"));
  }
  if (c.has(1)) clip.low = static_cast<A>(*c.in(1).as<T>());
  if (c.has(2)) clip.high = static_cast<A>(*c.in(2).as<T>());
  return clip;
}

void infer(Infer& infer) {
  for (size_t i : {1, 2})
    if (infer.has(i) && infer.in(i).count() != 1)
      fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not one element", i == 1 ? "min" : "max", to_string(infer.shape(i)));
  infer_unary(infer);
}

void compute(Compute& c) {
  with_type<NUMBERS>(c.in(0).type.dtype, [&]<class T>() {
    unary_loop(c.in(0).as<T>(), c.out(0).as<T>(), c.in(0).count(), bounds_of<T>(c));
  });
}

}  // namespace

extern constinit const HostOp host_clip{NUMBERS, 0, infer, compute};

}  // namespace dbk
