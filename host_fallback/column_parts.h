// The columns of a product that go to several tensors, from left to right: attribute `widths` of SplitMatMul and FusedSplitMatMul.
#pragma once

#include <array>

#include "host_fallback/op.h"

namespace dbk {

struct ColumnParts {
  static constexpr size_t kMost = 3;  // results that kernels write

  std::array<int64_t, kMost> width{};
  size_t count = 0;

  int64_t total() const { return width[0] + width[1] + width[2]; }
  int64_t first(size_t part) const { return (part > 0 ? width[0] : 0) + (part > 1 ? width[1] : 0); }
};

// Of a node whose product is one tensor: none.
ColumnParts column_parts(const Attributes& attrs);

// An operand with one element for each column, or one for all, as part `i` of the columns meets it.
TensorType meeting_part(TensorType operand, const ColumnParts& parts, size_t i);
Tensor meeting_part(const Tensor& operand, const ColumnParts& parts, size_t i);

}  // namespace dbk
