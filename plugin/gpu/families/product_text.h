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

  uint32_t reads() const { return (has_d ? 3u : 2u) + static_cast<uint32_t>(epilogue.operands.size()); }
};

// A, B, D, operands of the epilogue, C and the params; elements of all but A and B are `elem`.
std::string product_bindings(const ProductForm& form, std::string_view a, std::string_view b);

// What is stored for `sum`, in the row and column of the batch's matrix that two expressions give; `place` is the tile's.
std::string product_value(const ProductForm& form, std::string sum, std::string_view row, std::string_view column);

// "/alpha/beta/add+gelu/c"
std::string product_label(const ProductForm& form);

// One line of generated text.
template <class... Args>
void add_line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

}  // namespace dbk::gpu
