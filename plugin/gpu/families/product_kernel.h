// A family of kernels for products: when it can, which programs it has, how it is launched. matmul_choice.h decides between them.
#pragma once

#include "plugin/gpu/families/product_params.h"

namespace dbk::gpu {

struct ProductKernel {
  std::string_view name;  // as option matmul_family has it
  // Empty, or why it never computes this product on this adapter, whatever the extents that runs may change: those of A, and of B where
  // it is no weight. Asked before and after B's panels are known.
  std::string (*refuse)(const Product&, const Capabilities&);
  // Empty, or why not with these extents; null where it takes all.
  std::string (*refuse_extents)(const Product&, const Capabilities&);
  uint32_t (*program_count)(const Product&, const Capabilities&);
  void (*programs)(const Product&, const Capabilities&, std::vector<Program>& out);
  void (*launch)(const Product&, const Capabilities&, std::vector<Dispatch>& out);  // programs count from its first
  std::string (*tile)(const Product&, const Capabilities&);                         // for people: "64x64x16"
  // Null, or how it wants the weight B stored; empty where it reads it as it is. Others cannot read what it stores.
  std::vector<Panel> (*store)(const Product&, const Capabilities&) = nullptr;
};

extern constinit const ProductKernel kLaneKernel, kLineKernel, kTileKernel, kGemvKernel, kCoopKernel;

// What `coop` would make of operands; None where it never computes the product.
OperandForm coop_form(const Product& product, const Capabilities& caps);

// Columns of C in the blocks of a weight that `line` reads.
inline bool in_blocks(const Product& p) { return p.panels.size() == 1 && p.panels[0].block > 0 && p.panels[0].operand == OperandForm::None; }

// Whether the weight B is stored as an operand of subgroup matrices.
inline bool as_operand(const Product& p) { return p.panels.size() == 1 && p.panels[0].operand != OperandForm::None; }

// The reason of kernels for floats alone.
inline std::string refuse_sums(const Product& p) { return contains(F32 | F16, p.dtype) ? "" : "integers have a program of their own"; }

}  // namespace dbk::gpu
