// Generator of the `coop` matmul: matrices of subgroups, whose sizes and types are the adapter's, read straight from packed operands
// (coop_operand.h). Each result goes through workgroup memory, where invocations undo the scales, or take off zero points, apply the rest
// and store what lies in C.
#pragma once

#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

struct Coop {
  uint32_t m, n, k;           // of a matrix
  OperandForm form;
  uint32_t rows, columns;     // matrices that a subgroup adds up
  uint32_t down, across;      // subgroups of a workgroup
  uint32_t lanes;             // of the largest subgroup

  bool operator==(const Coop&) const = default;
  uint32_t teams() const { return down * across; }
  uint32_t tile_rows() const { return down * rows * m; }
  uint32_t tile_columns() const { return across * columns * n; }
  uint32_t threads() const { return teams() * lanes; }
  uint32_t memory() const { return teams() * m * n * (form == OperandForm::F16Sums ? 2 : 4); }  // bytes
};

// The WGSL type of arrays that hold elements of matrices: bytes lie in words.
std::string_view word_of(OperandForm form);

// With fewer subgroups in a workgroup where the adapter does not hold as many.
Coop fitted(Coop coop, const Capabilities& caps);
// The blocks of matrices that the adapter's vendor is known for (vendor_table.h), as far as they fit; `matrices` is for one.
Coop vendor_coop(const Coop& matrices, const Capabilities& caps);

std::string coop_text(const Coop& coop, const ProductForm& form);
std::string coop_label(const Coop& coop, const ProductForm& form);

// A product of bytes with sums in 32 bits.
struct ByteForm {
  DType a, b;
  bool a_zero = false, b_zero = false;  // zero points are given

  bool operator==(const ByteForm&) const = default;
};
std::string byte_coop_text(const Coop& coop, const ByteForm& form);
std::string coop_label(const Coop& coop, const ByteForm& form);

// Packs an operand; `along` invocations share a vector.
std::string operand_text(DType dtype, OperandForm form, uint32_t along);
std::string operand_label(DType dtype, OperandForm form, uint32_t along);

}  // namespace dbk::gpu
