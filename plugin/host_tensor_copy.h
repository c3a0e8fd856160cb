// Tensors in the caller's memory: checked once, then copied between their strides and dense memory.
#pragma once

#include "host_fallback/tensor.h"

namespace dbk {

struct HostView {
  TensorType type;
  std::byte* data = nullptr;
  Shape byte_strides;
  bool dense = true;    // row-major without gaps
  bool aligned = true;  // to the element size
};

// Checks dtype, rank, dims, memory and strides of a tensor in host memory (no buffer); `what` names it in messages.
HostView view_of(const dbk_tensor& tensor, const std::string& what);

TensorType type_of(const dbk_tensor& tensor, const std::string& what);

void gather(const HostView& from, std::byte* dense_to);
void scatter(const std::byte* dense_from, const HostView& to);

}  // namespace dbk
