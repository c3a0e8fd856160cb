// Elements of 2 and 4 bits as codes: packed densely, element 0 in the lowest bits of byte 0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host_fallback/number_block.h"

namespace dbk {

inline uint32_t packed_code(const uint8_t* data, uint32_t bits, int64_t i) {
  const auto at = static_cast<uint64_t>(i) * bits;
  return data[at / 8] >> at % 8 & ((1u << bits) - 1);
}

// Elements are written in their order: the first one of a byte clears the rest of it.
inline void append_packed_code(uint8_t* data, uint32_t bits, int64_t i, uint32_t code) {
  const auto at = static_cast<uint64_t>(i) * bits;
  const uint32_t kept = at % 8 == 0 ? 0 : data[at / 8];
  data[at / 8] = static_cast<uint8_t>(kept | (code & ((1u << bits) - 1)) << at % 8);
}

// An element whose byte has its neighbours already.
inline void replace_packed_code(uint8_t* data, uint32_t bits, int64_t i, uint32_t code) {
  const auto at = static_cast<uint64_t>(i) * bits;
  const uint32_t mask = ((1u << bits) - 1) << at % 8;
  data[at / 8] = static_cast<uint8_t>((data[at / 8] & ~mask) | (code << at % 8 & mask));
}

// A code of an integer type as its number.
inline int32_t integer_of_code(uint32_t code, DType dtype) {
  const uint32_t unused = 32 - bits_of(dtype);
  return contains(I4 | I2, dtype) ? static_cast<int32_t>(code << unused) >> unused : static_cast<int32_t>(code);
}

}  // namespace dbk
