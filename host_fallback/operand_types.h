// Types of a node's inputs by index, however the node is seen: for descriptions that shape rule, computation and GPU family share.
#pragma once

#include <array>

#include "host_fallback/op.h"

namespace dbk {

class OperandTypes {
 public:
  static constexpr size_t kMost = 16;
  explicit OperandTypes(const Infer& node) {
    for (size_t i = 0; i < node.input_count() && i < kMost; ++i)
      if (node.has(i)) types_[i] = &node.in(i);
  }
  explicit OperandTypes(const Compute& node) {
    for (size_t i = 0; i < node.input_count() && i < kMost; ++i)
      if (node.has(i)) types_[i] = &node.in(i).type;
  }
  explicit OperandTypes(std::span<const TensorType> types) {  // dtype NONE: absent
    for (size_t i = 0; i < types.size() && i < kMost; ++i)
      if (types[i].dtype != DBK_DTYPE_NONE) types_[i] = &types[i];
  }
  bool has(size_t i) const { return i < kMost && types_[i]; }
  const Shape& shape(size_t i) const { return types_[i]->shape; }
  DType dtype(size_t i) const { return types_[i]->dtype; }

 private:
  std::array<const TensorType*, kMost> types_{};
};

}  // namespace dbk
