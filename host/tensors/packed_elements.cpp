// Packing; see packed_elements.h.
#include "packed_elements.h"

#include <format>

#include "daybreak_dtype.hpp"

namespace host {
namespace {

bool is_signed(uint32_t dtype) { return dtype == DBK_I4 || dtype == DBK_I2; }

}  // namespace

std::vector<std::byte> pack_elements(std::span<const std::byte> elements, uint32_t dtype) {
  const unsigned bits = DBK_DTYPE_BITS(dtype);
  const int least = is_signed(dtype) ? -(1 << (bits - 1)) : 0;
  const int largest = is_signed(dtype) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  std::vector<std::byte> result((elements.size() * bits + 7) / 8);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto byte = std::to_integer<uint8_t>(elements[i]);
    const int value = is_signed(dtype) ? static_cast<int8_t>(byte) : byte;
    if (value < least || value > largest)
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("element {} is {}, which {} cannot hold", i, value,
                                                              daybreak::dtype_name(dtype)));
    const unsigned kept = static_cast<unsigned>(value) & ((1u << bits) - 1);
    result[i * bits / 8] |= static_cast<std::byte>(kept << (i * bits % 8));
  }
  return result;
}

std::vector<std::byte> unpack_elements(std::span<const std::byte> packed, uint32_t dtype, std::size_t count) {
  const unsigned bits = DBK_DTYPE_BITS(dtype);
  std::vector<std::byte> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    unsigned value = std::to_integer<unsigned>(packed[i * bits / 8]) >> (i * bits % 8) & ((1u << bits) - 1);
    if (is_signed(dtype) && (value >> (bits - 1))) value |= ~0u << bits;
    result[i] = static_cast<std::byte>(value);
  }
  return result;
}

}  // namespace host
