// Elements of 2 and 4 bits: the ABI packs them densely, files and people have them one per byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace host {

// One element per byte -> packed; the first one that does not fit is refused with its index.
std::vector<std::byte> pack_elements(std::span<const std::byte> elements, uint32_t dtype);

// Packed -> one per byte, signed ones extended.
std::vector<std::byte> unpack_elements(std::span<const std::byte> packed, uint32_t dtype, std::size_t count);

}  // namespace host
