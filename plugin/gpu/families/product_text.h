// What the programs of a product have in common besides kernels/matmul/product.wgsl: their bindings, and what becomes of a sum before it
// is stored.
#pragma once

#include <format>
#include <string>

#include "plugin/gpu/families/epilogue.h"

namespace dbk::gpu {

struct ProductForm {
  DType dtype;
  bool scaled = false;  // alpha is applied
  bool has_d = false;   // and beta times D added
  Epilogue epilogue;    // and then this; its operands are bound behind D
  uint32_t results = 1;  // C, or the parts of its columns

  uint32_t reads() const { return (has_d ? 3u : 2u) + static_cast<uint32_t>(epilogue.operands.size()); }
};

// A, B, D, operands of the epilogue, C or its parts and the params; elements of all but A and B are `elem`.
std::string product_bindings(const ProductForm& form, std::string_view a, std::string_view b);

// What is stored for `sum`, in the row and column of the batch's matrix that two expressions give; `place` is the tile's.
std::string product_value(const ProductForm& form, std::string sum, std::string_view row, std::string_view column);

// The statement that stores `value` there.
std::string product_store(const ProductForm& form, std::string_view row, std::string_view column, std::string_view value);

// Bindings c0, c1 ... from `binding` on, arrays of `type`, which holds `width` elements of f32 or `elem`, and `fn store(row, column, v)`,
// which puts v where column `column` of all results side by side begins.
std::string part_bindings(uint32_t results, uint32_t binding, std::string_view type, uint32_t width);

// "/alpha/beta/add+gelu/c/split3"
std::string product_label(const ProductForm& form);

// One line of generated text.
template <class... Args>
void add_line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

}  // namespace dbk::gpu
