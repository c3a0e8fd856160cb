// daybreak_dtype.hpp - element types: which C++ type stores which dtype of the ABI, and how many bytes a tensor takes.
// half and bfloat16 are storage types: they convert to and from float, rounding to nearest even, and do no arithmetic.
#ifndef DAYBREAK_DTYPE_HPP
#define DAYBREAK_DTYPE_HPP

#include <bit>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "daybreak_error.hpp"

namespace daybreak {

namespace detail {

// Keeps the upper `32 - shift` bits, rounded to nearest even; a carry into the exponent is the right result.
constexpr uint32_t round_shift(uint32_t bits, uint32_t shift) {
  const uint32_t half_way = 1u << (shift - 1);
  const uint32_t rest = bits & ((half_way << 1) - 1);
  const uint32_t kept = bits >> shift;
  return kept + (rest > half_way || (rest == half_way && (kept & 1u)) ? 1u : 0u);
}

constexpr uint16_t float_to_half_bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  const auto with_sign = [sign](uint32_t rest) { return static_cast<uint16_t>(sign | rest); };
  if (magnitude > 0x7F800000u) return with_sign(0x7E00u | ((magnitude >> 13) & 0x1FFu));  // NaN stays a quiet NaN
  if (magnitude >= 0x477FF000u) return with_sign(0x7C00u);                                // 65520 and above, infinity
  if (magnitude >= 0x38800000u) return with_sign(round_shift(magnitude - 0x38000000u, 13));
  if (magnitude < 0x33000000u) return with_sign(0);  // below 2^-25
  const uint32_t exponent = magnitude >> 23;         // 102..112: a subnormal half
  return with_sign(round_shift((magnitude & 0x7FFFFFu) | 0x800000u, 126 - exponent));
}

constexpr float half_bits_to_float(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1Fu;
  const uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0x1Fu) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

}  // namespace detail

struct half {
  uint16_t bits = 0;

  constexpr half() = default;
  constexpr half(float value) : bits(detail::float_to_half_bits(value)) {}
  constexpr operator float() const { return detail::half_bits_to_float(bits); }
  static constexpr half from_bits(uint16_t bits) {
    half result;
    result.bits = bits;
    return result;
  }
};

struct bfloat16 {
  uint16_t bits = 0;

  constexpr bfloat16() = default;
  constexpr bfloat16(float value) {
    const uint32_t raw = std::bit_cast<uint32_t>(value);
    const bool nan = (raw & 0x7FFFFFFFu) > 0x7F800000u;
    bits = static_cast<uint16_t>(nan ? (raw >> 16) | 0x40u : detail::round_shift(raw, 16));
  }
  constexpr operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

// A type whose objects are laid out as elements of a dtype.
template <class T>
concept Element =
    std::integral<T> || std::same_as<T, half> || std::same_as<T, bfloat16> || std::same_as<T, float> ||
    std::same_as<T, double> || std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

template <Element T>
consteval uint32_t dtype_of() {
  constexpr uint32_t bits = sizeof(T) * 8;
  if constexpr (std::same_as<T, bool>)
    return DBK_BOOL;
  else if constexpr (std::same_as<T, half>)
    return DBK_F16;
  else if constexpr (std::same_as<T, bfloat16>)
    return DBK_BF16;
  else if constexpr (std::floating_point<T>)
    return DBK_DTYPE(2, bits);
  else if constexpr (std::integral<T>)
    return DBK_DTYPE(std::is_signed_v<T> ? 0 : 1, bits);
  else
    return DBK_DTYPE(5, bits);
}

template <class T>
inline constexpr uint32_t dtype = dtype_of<std::remove_cv_t<T>>();

static_assert(sizeof(bool) == 1 && sizeof(half) == 2 && sizeof(bfloat16) == 2);

constexpr bool is_sub_byte(uint32_t type) { return DBK_DTYPE_BITS(type) < 8; }

// "f32", "i64", "bool", "f8_e4m3fn" ..., as reports of the plugin name them.
inline std::string dtype_name(uint32_t type) {
  switch (type) {
    case DBK_F8_E4M3FN:
      return "f8_e4m3fn";
    case DBK_F8_E4M3FNUZ:
      return "f8_e4m3fnuz";
    case DBK_F8_E5M2:
      return "f8_e5m2";
    case DBK_F8_E5M2FNUZ:
      return "f8_e5m2fnuz";
    case DBK_F8_E8M0FNU:
      return "f8_e8m0fnu";
    case DBK_F4_E2M1FN:
      return "f4_e2m1fn";
  }
  const std::string bits = std::to_string(DBK_DTYPE_BITS(type));
  switch (DBK_DTYPE_CODE(type)) {
    case 0:
      return type == DBK_DTYPE_NONE ? "none" : "i" + bits;
    case 1:
      return "u" + bits;
    case 2:
      return "f" + bits;
    case 4:
      return "bf" + bits;
    case 5:
      return "c" + bits;
    case 6:
      return "bool";
    case 0x80:
      return "string";
    default:
      return "f" + bits + "_code" + std::to_string(DBK_DTYPE_CODE(type));
  }
}

// Bytes of a dense tensor. Throws INVALID_ARGUMENT for a negative extent and OUT_OF_RANGE where the size overflows.
inline uint64_t dense_bytes(uint32_t type, std::span<const int64_t> dims) {
  constexpr uint64_t limit = std::numeric_limits<int64_t>::max() / 128;  // no dtype has more than 128 bits
  uint64_t elements = 1;
  bool empty = false, overflow = false;
  for (const int64_t extent : dims) {
    if (extent < 0) throw Error(DBK_INVALID_ARGUMENT, "extent " + std::to_string(extent) + " is negative");
    empty = empty || extent == 0;
    overflow = overflow || (extent > 0 && elements > limit / static_cast<uint64_t>(extent));
    if (!empty && !overflow) elements *= static_cast<uint64_t>(extent);
  }
  if (empty) return 0;
  if (overflow) throw Error(DBK_OUT_OF_RANGE, "the size of the tensor overflows");
  return (elements * DBK_DTYPE_BITS(type) + 7) / 8;
}

}  // namespace daybreak

#endif
