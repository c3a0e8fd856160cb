// Element types: the ABI's words, their sizes and names, sets of them, and the C++ types that hold one element on the host.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "daybreak.h"
#include "host_fallback/error.h"

namespace dbk {

using DType = uint32_t;  // DBK_F32 ...

// f16 and bf16 as stored; arithmetic happens in float (see Acc).
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float f) {
    const _Float16 h = static_cast<_Float16>(f);
    std::memcpy(&bits, &h, 2);
  }
  static Half from_double(double f) {  // rounds once; by way of float it would be twice
    const _Float16 h = static_cast<_Float16>(f);
    Half half;
    std::memcpy(&half.bits, &h, 2);
    return half;
  }
  operator float() const {
    _Float16 h;
    std::memcpy(&h, &bits, 2);
    return static_cast<float>(h);
  }
};

struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float f) {
    uint32_t u;
    std::memcpy(&u, &f, 4);
    const bool nan = (u & 0x7FFFFFFFu) > 0x7F800000u;
    bits = nan ? static_cast<uint16_t>(u >> 16 | 0x40) : static_cast<uint16_t>((u + 0x7FFF + (u >> 16 & 1)) >> 16);
  }
  operator float() const {
    const uint32_t u = static_cast<uint32_t>(bits) << 16;
    float f;
    std::memcpy(&f, &u, 4);
    return f;
  }
};

// A bool as stored. Callers may hand over any byte: all but 0 are true, where a C++ bool would be undefined behaviour.
struct Bool {
  uint8_t byte = 0;
  Bool() = default;
  explicit Bool(bool b) : byte(b) {}
  operator bool() const { return byte != 0; }
};

// The type in which elements of T are computed.
template <class T>
struct AccOf { using type = T; };
template <>
struct AccOf<Half> { using type = float; };
template <>
struct AccOf<BFloat16> { using type = float; };
template <>
struct AccOf<Bool> { using type = bool; };
template <class T>
using Acc = typename AccOf<T>::type;

// Sets of element types, as bits: what a row of kernels/ops.inc and a schema's type constraint are written in.
using DTypeSet = uint32_t;
enum : DTypeSet {
  F32 = 1u << 0, F16 = 1u << 1, F64 = 1u << 2, BF16 = 1u << 3,
  I8 = 1u << 4, I16 = 1u << 5, I32 = 1u << 6, I64 = 1u << 7,
  U8 = 1u << 8, U16 = 1u << 9, U32 = 1u << 10, U64 = 1u << 11,
  BOOL = 1u << 12, C64 = 1u << 13, C128 = 1u << 14, STRING = 1u << 15,
  I4 = 1u << 16, U4 = 1u << 17, I2 = 1u << 18, U2 = 1u << 19,
  F8_E4M3FN = 1u << 20, F8_E4M3FNUZ = 1u << 21, F8_E5M2 = 1u << 22, F8_E5M2FNUZ = 1u << 23, F8_E8M0FNU = 1u << 24,
  F4_E2M1FN = 1u << 25,
  FLOATS = F32 | F16 | F64 | BF16,
  INTS = I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64,
  NUMBERS = FLOATS | INTS,
  PLAIN = NUMBERS | BOOL,  // whole bytes and a C++ type below
  MOVABLE = PLAIN | C64 | C128 | F8_E4M3FN | F8_E4M3FNUZ | F8_E5M2 | F8_E5M2FNUZ | F8_E8M0FNU,  // whole bytes
  MOVED = F32 | F16 | F64 | I32 | U32 | I64 | U64,  // what GPU kernels move without looking inside
  STORED = MOVABLE | I4 | U4 | I2 | U2 | F4_E2M1FN,  // everything with a fixed size
};

DTypeSet set_of(DType dtype);        // 0 for an unknown dtype
const char* to_string(DType dtype);  // "f32", "i64", "unknown dtype"
std::vector<const char*> names_of(DTypeSet set);
std::string to_string_set(DTypeSet set);  // "f32, i64"
inline bool contains(DTypeSet set, DType dtype) { return (set & set_of(dtype)) != 0; }
DType only_dtype(DTypeSet set);      // NONE unless the set has exactly one
DType dtype_of_onnx(int64_t code);  // of TensorProto.DataType, as attributes `to` and `dtype` hold it; NONE where unknown
inline uint32_t bits_of(DType dtype) { return DBK_DTYPE_BITS(dtype); }

// Bytes of `count` elements; throws INVALID_ARGUMENT when it exceeds 63 bits.
int64_t byte_size(DType dtype, int64_t count);

template <class T>
inline constexpr DTypeSet set_of_type = 0;
template <> inline constexpr DTypeSet set_of_type<float> = F32;
template <> inline constexpr DTypeSet set_of_type<Half> = F16;
template <> inline constexpr DTypeSet set_of_type<double> = F64;
template <> inline constexpr DTypeSet set_of_type<BFloat16> = BF16;
template <> inline constexpr DTypeSet set_of_type<int8_t> = I8;
template <> inline constexpr DTypeSet set_of_type<int16_t> = I16;
template <> inline constexpr DTypeSet set_of_type<int32_t> = I32;
template <> inline constexpr DTypeSet set_of_type<int64_t> = I64;
template <> inline constexpr DTypeSet set_of_type<uint8_t> = U8;
template <> inline constexpr DTypeSet set_of_type<uint16_t> = U16;
template <> inline constexpr DTypeSet set_of_type<uint32_t> = U32;
template <> inline constexpr DTypeSet set_of_type<uint64_t> = U64;
template <> inline constexpr DTypeSet set_of_type<Bool> = BOOL;

// Calls f.template operator()<T>() with the C++ type of `dtype`, instantiated only for types in Set.
template <DTypeSet Set, class F>
void with_type(DType dtype, F&& f) {
  auto try_type = [&]<class T>() {
    if constexpr ((Set & set_of_type<T>) != 0) {
      if (set_of(dtype) == set_of_type<T>) {
        f.template operator()<T>();
        return true;
      }
    }
    return false;
  };
  const bool found = try_type.template operator()<float>() || try_type.template operator()<Half>() ||
                     try_type.template operator()<double>() || try_type.template operator()<BFloat16>() ||
                     try_type.template operator()<int8_t>() || try_type.template operator()<int16_t>() ||
                     try_type.template operator()<int32_t>() || try_type.template operator()<int64_t>() ||
                     try_type.template operator()<uint8_t>() || try_type.template operator()<uint16_t>() ||
                     try_type.template operator()<uint32_t>() || try_type.template operator()<uint64_t>() ||
                     try_type.template operator()<Bool>();
  if (!found) fail(DBK_UNIMPLEMENTED, "no host code for {}", to_string(dtype));
}

}  // namespace dbk
