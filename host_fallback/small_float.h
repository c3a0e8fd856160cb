// Floats of 8 and 4 bits as codes. Kernels have the same rules (kernels/_stored.wgsl), so a format is a row of numbers
// here and there.
//   e4m3fn, e2m1fn      no infinity; e2m1fn has no NaN either, and it becomes a zero
//   e4m3fnuz, e5m2fnuz  neither infinity nor -0, whose code is NaN's
//   e8m0fnu             powers of two alone, without a sign: what scales are made of
// Every number of every format is an f32 (e8m0fnu's smallest a denormal one), and numbers come from f32, rounded to
// nearest, ties to even.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "host_fallback/dtype.h"

namespace dbk {

struct SmallFloat {
  uint32_t bits, fraction, bias;
  uint32_t largest;   // code of the largest number
  uint32_t overflow;  // code of what is larger and does not saturate: infinity or NaN
  uint32_t nan;
  bool one_zero;  // -0 is no number but NaN
};

inline constexpr SmallFloat kE4M3FN{8, 3, 7, 0x7E, 0x7F, 0x7F, false}, kE4M3FNUZ{8, 3, 8, 0x7F, 0x80, 0x80, true},
    kE5M2{8, 2, 15, 0x7B, 0x7C, 0x7E, false}, kE5M2FNUZ{8, 2, 16, 0x7F, 0x80, 0x80, true},
    kE2M1FN{4, 1, 1, 7, 7, 8, false};

// Null for types that are none, and for e8m0fnu, which has functions of its own.
inline const SmallFloat* small_float(DType dtype) {
  switch (dtype) {
    case DBK_F8_E4M3FN:
      return &kE4M3FN;
    case DBK_F8_E4M3FNUZ:
      return &kE4M3FNUZ;
    case DBK_F8_E5M2:
      return &kE5M2;
    case DBK_F8_E5M2FNUZ:
      return &kE5M2FNUZ;
    case DBK_F4_E2M1FN:
      return &kE2M1FN;
  }
  return nullptr;
}

inline float float_of_bits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}
inline uint32_t bits_of_float(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}

inline float small_float_value(uint32_t code, const SmallFloat& f) {
  const uint32_t sign = 1u << (f.bits - 1), magnitude = code & (sign - 1);
  if (magnitude > f.largest || (f.one_zero && code == sign)) {
    const bool infinite = magnitude == f.overflow && f.overflow != f.nan;
    const float x = infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    return code & sign ? -x : x;
  }
  const float x = magnitude >> f.fraction == 0
                      ? static_cast<float>(magnitude) * float_of_bits((128 - f.bias - f.fraction) << 23)
                      : float_of_bits((magnitude << (23 - f.fraction)) + ((127 - f.bias) << 23));
  return code & sign ? -x : x;
}

inline uint32_t small_float_code(float x, const SmallFloat& f, bool saturate) {
  const uint32_t sign = 1u << (f.bits - 1), bits = bits_of_float(x), magnitude = bits & 0x7FFFFFFFu;
  const bool minus = bits >> 31 != 0;
  if (magnitude > 0x7F800000u) return f.nan ^ (minus && !f.one_zero ? sign : 0);
  const uint32_t shift = 23 - f.fraction, rounding = (1u << (shift - 1)) - 1 + (magnitude >> shift & 1);
  const bool normal = magnitude >> 23 >= 128 - f.bias;
  uint32_t code =
      normal ? ((magnitude + rounding) >> shift) - ((127 - f.bias) << f.fraction)
             : static_cast<uint32_t>(std::nearbyintf(std::fabs(x) * float_of_bits((126 + f.bias + f.fraction) << 23)));
  if (code > f.largest) {
    code = saturate ? f.largest : f.overflow;
    if (f.one_zero && !saturate) return code;
  }
  return code | (minus && !(f.one_zero && code == 0) ? sign : 0);
}

// 2^(code - 127), 255 is NaN.
inline float power_of_code(uint32_t code) {
  return float_of_bits(code == 255 ? 0x7FC00000u : code == 0 ? 0x00400000u : code << 23);
}

enum class PowerRounding : uint8_t { Up, Down, Nearest };

// The sign is ignored, ties round up. What lies outside the powers is the nearest of them if it saturates, else NaN.
inline uint32_t code_of_power(float x, PowerRounding rounding, bool saturate) {
  const uint32_t bits = bits_of_float(x) & 0x7FFFFFFFu;
  if (bits > 0x7F800000u) return 0xFF;
  if (bits < 0x00400000u) return saturate ? 0 : 0xFF;
  const bool denormal = bits < 0x00800000u;  // the interval from 2^-127 on, whose fraction has one bit less
  const uint32_t lower = bits >> 23, fraction = bits & (denormal ? 0x3FFFFFu : 0x7FFFFFu),
                 half = denormal ? 0x200000u : 0x400000u;
  const bool up =
      rounding == PowerRounding::Up ? fraction != 0 : rounding == PowerRounding::Nearest && fraction >= half;
  const uint32_t code = lower + (up ? 1 : 0);
  return code < 0xFF ? code : saturate ? 0xFE : 0xFF;
}

}  // namespace dbk
