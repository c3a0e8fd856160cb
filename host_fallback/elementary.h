// exp, tanh, erf and their kin. The float versions are branch-free so that loops over them vectorise, and stay within the
// tolerances of kernels/ops.inc for every float (tests/host_ops checks a sample); NaN and infinities behave as in libm.
// The double versions, on which the tests' oracle rests, are libm. Coefficients are minimax fits of our own, in the
// variable and interval named beside them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace dbk::elementary {

// factor * exp(hi + lo) for |lo| <= 4: a sum whose second part would be lost when added to the first. The factor comes
// before the last scaling, so that it loses nothing where exp alone is denormal.
inline float exp_of_sum(float hi, float lo, float factor = 1.0f) {
  hi = hi > 100.0f ? 100.0f : hi;
  hi = hi < -120.0f ? -120.0f : hi;
  const float shifted = (hi + lo) * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: the low bits hold the nearest integer
  const float n = shifted - 12582912.0f;
  const float r = ((hi - n * 0.693145752f) - n * 1.42860677e-6f) + lo;  // ln 2 in two parts; n times the first is exact
  float p = 0.00139505998f;                                             // (exp(r) - 1 - r) / r^2, |r| <= ln(2) / 2
  p = p * r + 0.00836895406f;
  p = p * r + 0.041666206f;
  p = p * r + 0.166665182f;
  p = p * r + 0.5f;
  p = (p * r) * r + r + 1.0f;
  // 2^n as two factors, since n may lie outside the range of exponents where the result does not.
  const int32_t k = std::bit_cast<int32_t>(shifted) - 0x4B400000;
  const int32_t half = k >> 1;
  const float scale_a = std::bit_cast<float>((half + 127) << 23);
  const float scale_b = std::bit_cast<float>((k - half + 127) << 23);
  return p * factor * scale_a * scale_b;
}

inline float exp(float x) { return exp_of_sum(x, 0.0f); }
inline double exp(double x) { return std::exp(x); }

inline float log(float x) {
  const bool tiny = x < 1.17549435e-38f;  // subnormal: scaled into the normal range first
  const uint32_t bits = std::bit_cast<uint32_t>(tiny ? x * 8388608.0f : x) - 0x3F3504F3u;  // counted from sqrt(1/2)
  const float e = static_cast<float>((static_cast<int32_t>(bits) >> 23) - (tiny ? 23 : 0));
  const float f =
      std::bit_cast<float>((bits & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;  // x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
  const float s = f / (2.0f + f), z = s * s;                            // log(1 + f) = 2 atanh(s) = f - s (f - q)
  float q = 0.29874599f;  // (2 atanh(s) / s - 2) / s^2 in s^2, |s| <= 0.172
  q = q * z + 0.399774432f;
  q = q * z + 0.666667759f;
  const float finite = e * 0.693145752f + (e * 1.42860677e-6f + (f - s * (f - q * z)));
  const float inf = std::bit_cast<float>(0x7F800000), nan = std::bit_cast<float>(0x7FC00000);
  const float positive = x < inf ? finite : x;  // infinity and NaN stay
  return x < 0 ? nan : x == 0 ? -inf : positive;
}
inline double log(double x) { return std::log(x); }

// 1 / (1 + exp(-x)) without overflow on either side.
template <class A>
inline A sigmoid(A x) {
  const A e = elementary::exp(x < 0 ? x : -x);
  return (x < 0 ? e : A(1)) / (A(1) + e);
}

inline float tanh(float x) {
  const float a = std::fabs(x);
  const float large = 1.0f - 2.0f / (elementary::exp(2.0f * a) + 1.0f);
  const float z = x * x;
  float p = -0.00571703678f;  // (tanh(x) / x - 1) / x^2 in x^2, |x| <= 0.625
  p = p * z + 0.0206505787f;
  p = p * z - 0.0537434965f;
  p = p * z + 0.133314908f;
  p = p * z - 0.333332837f;
  const float small = x + x * z * p;
  return a < 0.625f ? small : std::copysign(large, x);
}
inline double tanh(double x) { return std::tanh(x); }

// exp(x^2) * erfc(x) for 0.7 <= x <= 11.
inline float erfc_scaled(float x) {
  const float u = (x - 2.0f) / (x + 2.0f);
  float p = -0.00152776553f;  // exp(x^2) * erfc(x) * (1 + 2 x) in u
  p = p * u + 0.00110042002f;
  p = p * u + 0.00878930651f;
  p = p * u - 0.00801612716f;
  p = p * u - 0.0542323887f;
  p = p * u + 0.164051294f;
  p = p * u - 0.166029647f;
  p = p * u - 0.0927638561f;
  p = p * u + 1.27697837f;
  return p / (2.0f * x + 1.0f);
}

// erf(x) / x from x^2, |x| <= 1.
inline float erf_core(float z) {
  float p = 7.8891193e-05f;
  p = p * z - 0.000802084105f;
  p = p * z + 0.00518953521f;
  p = p * z - 0.0268544443f;
  p = p * z + 0.112836003f;
  p = p * z - 0.37612626f;
  return p * z + 1.12837911f;
}

// The leading half of x's digits: its square is exact.
inline float head_of(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xFFFFF000u); }

inline float erf(float x) {
  float a = std::fabs(x);
  a = a > 11.0f ? 11.0f : a;
  const float head = head_of(a);
  const float tail = exp_of_sum(-head * head, -(a - head) * (a + head), erfc_scaled(a));
  return a < 1.0f ? x * erf_core(x * x) : std::copysign(1.0f - tail, x);
}
inline double erf(double x) { return std::erf(x); }

// x times the standard normal distribution function, from the tail of that: 1 - erf would cancel it away. 256 keeps the exponential
// from being denormal before x multiplies it.
inline float gelu(float x) {
  float a = std::fabs(x);
  a = a > 15.0f ? 15.0f : a;
  const float t = 1.0f / (a + 3.25f), u = 1.0f - 6.5f * t;
  float p = 0.000128225234f;  // exp(a^2 / 2) * Phi(-a) * (a + 3.25) in u = (a - 3.25) / (a + 3.25), 0 <= a <= 15
  p = p * u + 0.000144807404f;
  p = p * u - 0.00105144083f;
  p = p * u - 0.00116494263f;
  p = p * u + 0.00830409303f;
  p = p * u + 0.00109758484f;
  p = p * u - 0.0809244365f;
  p = p * u + 0.274453849f;
  p = p * u - 0.539486706f;
  p = p * u + 0.737438381f;
  const float head = head_of(a);
  const float e = exp_of_sum(-0.5f * head * head, -0.5f * (a - head) * (a + head), 256.0f * p * t);
  const float tail = (x < 0 ? x : a) * e * 0.00390625f;
  return x < 0 ? tail : x - tail;
}
inline double gelu(double x) { return 0.5 * x * std::erfc(x * -0.70710678118654752440); }

// The usual approximation x / 2 * (1 + tanh(u / 2)), u = sqrt(8 / pi) * (x + 0.044715 x^3), written as x * sigmoid(u).
inline double gelu_tanh(double x) {
  return x * sigmoid(1.59576912160573071 * (x + 0.044715 * x * x * x));
}
// u reaches 93 while the result is still a number, so it is kept as a sum.
inline float gelu_tanh(float x) {
  float a = std::fabs(x);
  a = a > 15.0f ? 15.0f : a;
  const double d = a, u = d * (1.59576912160573071 + 0.0713548162726002526 * d * d);
  const float hi = static_cast<float>(u), lo = static_cast<float>(u - static_cast<double>(hi));
  const float e = exp_of_sum(-hi, -lo, 256.0f);
  return (x < 0 ? x * e * 0.00390625f : x) / (1.0f + e * 0.00390625f);
}

}  // namespace dbk::elementary
