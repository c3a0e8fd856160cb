// Pow: a to the power b, in the type of a; since version 12 the exponent has a type of its own.
// Integer to integer wraps like repeated multiplication; a negative exponent gives the real result cut toward zero (0
// to a negative power: the largest integer). A float exponent of an integer is computed in double and converted as Cast
// does.
#include <cmath>

#include "host_fallback/binary.h"
#include "host_fallback/number_cast.h"
#include "host_fallback/ring.h"

namespace dbk {

namespace {

constexpr DTypeSet kBases = FLOATS | I32 | I64;

template <class T, class E>
T integer_power(T base, E exponent) {
  if (exponent < 0) {
    if (base == 0) return std::numeric_limits<T>::max();
    if (base == -1) return exponent % 2 == 0 ? T(1) : T(-1);
    return base == 1 ? T(1) : T(0);
  }
  Ring<T> result = 1, square = static_cast<Ring<T>>(base);
  for (auto e = static_cast<uint64_t>(exponent); e != 0; e >>= 1, square *= square)
    if (e & 1) result *= square;
  return static_cast<T>(result);
}

template <class T, class E>
T power(T base, E exponent) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<E>) {
    return integer_power(base, exponent);
  } else if constexpr (std::is_integral_v<T>) {
    return saturate<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  } else {
    // An exponent that float cannot hold exactly is worth double arithmetic: its parity decides the sign.
    using A = std::conditional_t<sizeof(E) >= 8 || (sizeof(E) == 4 && std::is_integral_v<E>), double, Acc<T>>;
    return static_cast<T>(static_cast<Acc<T>>(std::pow(static_cast<A>(base), static_cast<A>(exponent))));
  }
}

template <class T, class E>
void power_run(const T* a, int64_t step_a, const E* b, int64_t step_b, T* out, int64_t n) {
  using R = Ring<T>;
  if (step_a == 1 && step_b == 0 && *b == E(2)) {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(static_cast<R>(a[i]) * static_cast<R>(a[i]));
    return;
  }
  for (int64_t i = 0; i < n; ++i) out[i] = power(a[i * step_a], b[i * step_b]);
}

template <class T, class E>
void power_loop(const Tensor& a, const Tensor& b, Tensor& out) {
  const StridedLoop<2> loop(out.shape(),
                            {broadcast_strides(a.shape(), out.shape()), broadcast_strides(b.shape(), out.shape())});
  const T* pa = a.as<T>();
  const E* pb = b.as<E>();
  T* po = out.as<T>();
  parallel_ranges(out.count(), kElementGrain / 8, [&loop, pa, pb, po](int64_t begin, int64_t end) {
    for_runs(loop, begin, end, [&](int64_t first, const Offsets<2>& at, int64_t n) {
      power_run(pa + at[0], loop.step(0), pb + at[1], loop.step(1), po + first, n);
    });
  });
}

void compute(Compute& c) {
  with_type<kBases>(c.in(0).type.dtype, [&]<class T>() {
    with_type<NUMBERS>(c.in(1).type.dtype, [&]<class E>() { power_loop<T, E>(c.in(0), c.in(1), c.out(0)); });
  });
}

}  // namespace

extern constinit const HostOp host_pow{kBases, 0, infer_binary, compute};

}  // namespace dbk
