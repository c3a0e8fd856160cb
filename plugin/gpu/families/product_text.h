// What the programs of a product have in common besides kernels/matmul/product.wgsl: their bindings, and what becomes of a sum before it
// is stored.
#pragma once

#include <string>

#include "plugin/gpu/families/epilogue.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

struct ProductForm {
  DType dtype;
  bool scaled = false;  // alpha is applied
  bool has_d = false;   // and beta times D added
  Epilogue epilogue;    // and then this; its operands are bound behind D
  uint32_t results = 1;  // C, or the parts of its columns
  bool partial = false;  // nothing of that: C gets sums over parts of k, in f32 (split_k.h)

  bool operator==(const ProductForm&) const = default;
  DType stored() const { return partial ? DType{DBK_F32} : epilogue.stored(dtype); }  // in C
  uint32_t reads() const { return (has_d ? 3u : 2u) + static_cast<uint32_t>(epilogue.operands.size()); }
};

// What a program reads before D and the operands of the epilogue.
struct ProductOperand {
  std::string_view name, type;  // of its elements
};
// These, D, operands of the epilogue, C or its parts and the params. `elem` is the type of A, B and D.
std::string product_bindings(const ProductForm& form, std::initializer_list<ProductOperand> operands);

// The lines with which a program of one tile for each workgroup begins: `tile`, its `place` and, of parts of k, the number `k_part`.
std::string product_place(bool partial);

// Expressions for the first step of k that such a program takes and for the one behind its last.
struct ProductSteps {
  std::string_view first, end;
};
inline ProductSteps product_steps(bool partial) { return partial ? ProductSteps{"k_first", "k_end"} : ProductSteps{"0u", "p.k"}; }

// What is stored for `sum`, in the row and column of the batch's matrix that two expressions give; `place` is the tile's.
std::string product_value(const ProductForm& form, std::string sum, std::string_view row, std::string_view column);

// The statement that stores `value` there.
std::string product_store(const ProductForm& form, std::string_view row, std::string_view column, std::string_view value);

// Bindings c0, c1 ... from `binding` on, arrays of `type`, which holds `width` elements, and `fn store(row, column, v)`,
// which puts v where column `column` of all results side by side begins.
std::string part_bindings(uint32_t results, uint32_t binding, std::string_view type, uint32_t width);

// "/alpha/beta/add+gelu/c/split3"
std::string product_label(const ProductForm& form);

}  // namespace dbk::gpu
