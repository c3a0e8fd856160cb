// A tensor in host memory that owns its elements.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daybreak_view.hpp"
#include "onnx/tensor_data.h"

namespace host {

struct Tensor {
  uint32_t dtype = DBK_DTYPE_NONE;
  daybreak::Dims dims;
  std::vector<std::byte> bytes;      // dense, packed as the ABI says; empty where the elements are strings
  std::vector<std::string> strings;  // of dtype STRING

  std::size_t count() const { return static_cast<std::size_t>(dims.product()); }
  daybreak::View view() const { return {bytes, dtype, dims}; }  // not of strings
};

Tensor copy_of(const TensorData& data);

std::string type_text(uint32_t dtype, const daybreak::Dims& dims);  // "f32[2, 3]"

}  // namespace host
