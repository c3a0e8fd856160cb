// Generator of the `gemv` matmul for few rows: reading B is all the work. A workgroup takes some columns for all rows, and its invocations
// share their sums along k; what each has is added up in the order of the invocations.
#pragma once

#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

struct Gemv {
  uint32_t rows;    // at most
  uint32_t across;  // columns of a workgroup
  uint32_t along;   // invocations that share a sum
  bool k_first;     // neighbours take neighbours along k, for B stored as columns; else along n
  // Of a weight that is stored for `coop` (coop_operand.h): columns along k, read as vectors of four.
  OperandForm operand = OperandForm::None;
  bool a_vectors = false;  // and so are rows of A

  bool operator==(const Gemv&) const = default;
  uint32_t threads() const { return across * along; }
  uint32_t memory() const { return rows * threads() * 4; }  // bytes
};

std::string gemv_text(const Gemv& gemv, const ProductForm& form);
std::string gemv_label(const Gemv& gemv, const ProductForm& form);

}  // namespace dbk::gpu
