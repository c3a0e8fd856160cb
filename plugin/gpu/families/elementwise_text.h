// Generator of the programs of element-wise expressions: bindings and reads for any number of operands around the function `value`
// (expression_text.h). Three frames, as for ops of two operands (kernels/_binary.wgsl, _binary_strided.wgsl, _binary_line.wgsl), whose
// params they share; every one stores four neighbours at a time.
#pragma once

#include "plugin/gpu/families/expression_text.h"

namespace dbk::gpu {

struct ElementwiseFrame {
  // Vectors: operands have four neighbours side by side, or one element for all of them. Strided: any broadcast. Line: CPU adapters, f32;
  // operands are whole, one row for all, or single.
  enum class Kind : uint8_t { Vectors, Strided, Line };
  Kind kind;
  uint32_t dims;         // collapsed dimensions that are walked; a line has two
  uint32_t singles = 0;  // of a line: bit i, operand i is one element

  bool operator==(const ElementwiseFrame&) const = default;
};

std::string elementwise_text(const ElementwiseFrame& frame, const Expression& expression, std::span<const DType> operands, DType result);
std::string elementwise_label(const ElementwiseFrame& frame, const Expression& expression, std::span<const DType> operands, DType result);

}  // namespace dbk::gpu
