// A family of kernels for products: when it can, which parameters it has, which programs those need, how they are launched.
// matmul_choice.h decides between all of them.
#pragma once

#include "plugin/gpu/families/product_params.h"

namespace dbk::gpu {

struct GroupTile {
  int64_t rows, columns;
};

struct ProductKernel {
  std::string_view name;  // as option matmul_family has it
  // Empty, or why it never computes this product on this adapter, whatever the extents that runs may change: those of A, and of B where
  // it is no weight. Asked before and after B's panels are known.
  std::string (*refuse)(const Product&, const Capabilities&);
  // Empty, or why not with these extents; null where it takes all.
  std::string (*refuse_extents)(const Product&, const Capabilities&);
  // Its variants for what never changes of a product that it does not refuse, by the names of their parameters: "64x64x16". Elsewhere a
  // variant is a place in this list. Where B's panels are known, only those that can read them.
  std::vector<std::string> (*variants)(const Product&, const Capabilities&);
  // The variant for these extents by what is known of adapters, and all that it may be with other extents.
  uint32_t (*preferred)(const Product&, const Capabilities&);
  std::vector<uint32_t> (*usual)(const Product&, const Capabilities&);
  uint32_t (*program_count)(const Product&, const Capabilities&, uint32_t variant);
  void (*programs)(const Product&, const Capabilities&, uint32_t variant, std::vector<Program>& out);
  void (*launch)(const Product&, const Capabilities&, uint32_t variant, std::vector<Dispatch>& out);  // programs count from its first
  std::string (*tile)(const Product&, const Capabilities&, uint32_t variant);                         // for people: "64x64x16, 4x4 each"
  // Null where it cannot cut k (Product::cut), else the rows and columns of C that a workgroup makes.
  GroupTile (*group_tile)(const Product&, const Capabilities&, uint32_t variant) = nullptr;
  // Null, or how a variant wants the weight B stored; empty where it reads it as it is. Others cannot read what it stores.
  std::vector<Panel> (*store)(const Product&, const Capabilities&, uint32_t variant) = nullptr;
  bool reads_operands = false;  // but this one has variants that read what `coop` stores
};

extern constinit const ProductKernel kLaneKernel, kLineKernel, kTileKernel, kGemvKernel, kCoopKernel;

// What `coop` would make of operands; None where it may not compute the product.
OperandForm coop_form(const Product& product, const Capabilities& caps);

// How it would store the weight B, in its usual variant; empty where it would not.
std::vector<Panel> operand_storage(const Product& product, const Capabilities& caps);

// In the names of variants of others that read it so.
inline constexpr std::string_view kPacked = "-packed";

// How it would round what is given in other types; None where it would not.
OperandForm rounding_form(const Product& product, const Capabilities& caps);

// Panels of a weight are stored alike. Columns of C in the blocks of a weight that `line` reads.
inline bool in_blocks(const Product& p) { return !p.panels.empty() && p.panels[0].block > 0 && p.panels[0].operand == OperandForm::None; }

// Whether the weight B is stored as an operand of subgroup matrices.
inline bool as_operand(const Product& p) { return !p.panels.empty() && p.panels[0].operand != OperandForm::None; }

// The reason of kernels for floats alone.
inline std::string refuse_sums(const Product& p) { return contains(F32 | F16, p.dtype) ? "" : "integers have a program of their own"; }

}  // namespace dbk::gpu
