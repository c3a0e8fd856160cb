// NumPy's names of element types ("<f4", "|b1", "<U5") in terms of the ABI's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace host {

struct NpyType {
  uint32_t dtype = 0;
  std::size_t size = 0;    // bytes of an element in the file
  std::size_t part = 0;    // bytes that are swapped together: halves of complex numbers, characters
  bool swapped = false;    // big-endian
  bool wide = false;       // strings of 4-byte characters, not of bytes
  uint32_t packed_as = 0;  // elements of the file are bytes that are to be packed into this dtype
};

// `expected` decides where NumPy has no name of its own. Throws daybreak::Error for what is no tensor.
NpyType npy_type(const std::string& descr, uint32_t expected);

std::string npy_descr(uint32_t dtype);  // how a dtype is written; not of strings

// Strings are padded with zeros to one length.
std::vector<std::string> npy_strings(std::span<const std::byte> elements, const NpyType& type);
// Appends the elements and returns their descr.
std::string npy_string_elements(const std::vector<std::string>& strings, std::vector<std::byte>& elements);

}  // namespace host
