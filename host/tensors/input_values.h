// Tensors from words on the command line, and made-up ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tensor.h"

namespace host {

// "1,2,3" or "[[1, 2], [3, 4]]".
struct ValueList {
  std::vector<std::string> words;
  std::optional<daybreak::Dims> dims;  // where brackets tell them
};
bool begins_with_number(const std::string& text);  // or a bracket, true, false: what is meant as values, right or wrong
ValueList parse_values(const std::string& text);  // throws daybreak::Error: brackets that do not match, ragged rows

// Numbers that the type cannot hold are refused, and so are types that have no words (complex, 8-bit and 4-bit floats).
Tensor tensor_of(const std::vector<std::string>& words, uint32_t dtype, const daybreak::Dims& dims);

Tensor zeros(uint32_t dtype, const daybreak::Dims& dims);

// Floats in [0, 1); integers 0 and 1, which are indices of nearly any table. The same for the same seed.
Tensor random_tensor(uint32_t dtype, const daybreak::Dims& dims, uint64_t seed);

}  // namespace host
