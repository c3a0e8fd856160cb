// One element from one type to another, as Cast does it. Our choices where ONNX leaves the result open:
//   float to integer  cut toward zero; outside the range the nearest bound, NaN is 0 (what WGSL, Rust and AArch64 do)
//   integer to integer wraps
//   anything to bool  false for zero, true otherwise, NaN included
// Floats round to nearest, ties to even; f64 to f16 rounds once, everything to bf16 goes through f32.
#pragma once

#include <limits>
#include <type_traits>

#include "host_fallback/dtype.h"

namespace dbk {

template <class To, class From>
To saturate(From x) {
  using L = std::numeric_limits<To>;
  // Both bounds as the nearest float at or beyond them: exact powers of two, except for the lower bound of unsigned
  // types.
  constexpr From low = static_cast<From>(L::min());
  constexpr From high = static_cast<From>(L::max() / 2 + 1) * 2;
  if (x != x) return To(0);
  if (x <= low) return L::min();
  if (x >= high) return L::max();
  return static_cast<To>(x);
}

template <class To, class From>
To number_cast(From value) {
  if constexpr (std::is_same_v<From, Bool>) {
    if constexpr (std::is_same_v<To, Bool>) return Bool(static_cast<bool>(value));
    else return number_cast<To>(static_cast<uint8_t>(static_cast<bool>(value)));
  } else if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>) {
    return number_cast<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, Bool>) {
    return Bool(value != From(0));
  } else if constexpr (std::is_same_v<To, Half> && std::is_same_v<From, double>) {
    return Half::from_double(value);
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return saturate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace dbk
