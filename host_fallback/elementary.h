// exp, tanh, erf and their kin. The float versions are branch-free so that loops over them vectorise, and stay within a
// few units in the last place (tests/host_ops checks); NaN and infinities behave as in libm. The double versions, on
// which the tests' oracle rests, are libm. Coefficients are minimax fits of our own, in the variable and interval named
// beside them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace dbk::elementary {

// exp(hi + lo) for |lo| <= 4: a sum whose second part would be lost when added to the first.
inline float exp_of_sum(float hi, float lo) {
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
  return p * scale_a * scale_b;
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

// 1 - erf(x) for x >= 0, with a small relative error down to the smallest numbers. x^2 comes as a sum, since its
// rounding error would grow with it in exp.
inline float erfc_positive(float x, float square_head, float square_rest) {
  const float t = 2.0f / (2.0f + x);
  float p = 0.143676952f;  // log(erfc(x) / t) + x^2 in t, 0 <= x <= 10.2
  p = p * t - 0.674198151f;
  p = p * t + 1.14169919f;
  p = p * t - 0.677156627f;
  p = p * t - 0.0951602086f;
  p = p * t + 0.00859259441f;
  p = p * t + 0.0323442891f;
  p = p * t + 0.387056589f;
  p = p * t + 0.998591721f;
  p = p * t - 1.26544642f;
  return t * exp_of_sum(-square_head, p - square_rest);
}

// The leading half of x's digits: its square is exact.
inline float head_of(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xFFFFF000u); }

inline float erfc_positive(float x) {
  x = x > 11.0f ? 11.0f : x;
  const float head = head_of(x);
  return erfc_positive(x, head * head, (x - head) * (x + head));
}

inline float erf(float x) {
  const float a = std::fabs(x);
  const float z = x * x;
  float p = 7.8891193e-05f;  // erf(x) / x in x^2, |x| <= 1
  p = p * z - 0.000802084105f;
  p = p * z + 0.00518953521f;
  p = p * z - 0.0268544443f;
  p = p * z + 0.112836003f;
  p = p * z - 0.37612626f;
  p = p * z + 1.12837911f;
  const float near = x * p, far = std::copysign(1.0f - erfc_positive(a), x);
  return a < 1.0f ? near : far;
}
inline double erf(double x) { return std::erf(x); }

// x times the standard normal distribution function; erfc keeps the left tail accurate.
inline float gelu(float x) {
  float a = std::fabs(x);
  a = a > 15.0f ? 15.0f : a;
  const float head = head_of(a);
  const float tail = 0.5f * erfc_positive(a * 0.707106781f, 0.5f * head * head, 0.5f * (a - head) * (a + head));
  return x * (x < 0 ? tail : 1.0f - tail);
}
inline double gelu(double x) { return 0.5 * x * std::erfc(x * -0.70710678118654752440); }

// The usual approximation x / 2 * (1 + tanh(u)), u = sqrt(2 / pi) * (x + 0.044715 x^3), written as x * sigmoid(2 u).
template <class A>
inline A gelu_tanh(A x) {
  const A u = A(0.79788456080286535588) * (x + A(0.044715) * x * x * x);
  return x * sigmoid(A(2) * u);
}

}  // namespace dbk::elementary
