// A kernel for a product as one may choose it: a variant of a family, as it is or with k in parts (split_k.h). Its name is the variant's,
// with "-split" behind it where k is cut.
#pragma once

#include <optional>

#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

struct ProductCandidate {
  const ProductKernel* kernel;
  uint32_t variant;  // of ProductKernel::variants
  bool split = false;

  bool operator==(const ProductCandidate&) const = default;

  std::string name(const Product&, const Capabilities&) const;
  // Empty, or why not with these extents; and whether it takes all.
  std::string refuse_extents(const Product&, const Capabilities&) const;
  bool takes_all_extents() const { return !kernel->refuse_extents && !split; }

  uint32_t program_count(const Product&, const Capabilities&) const;
  void programs(const Product&, const Capabilities&, std::vector<Program>& out) const;
  void launch(const Product&, const Capabilities&, std::vector<Dispatch>& out) const;  // programs count from its first
  std::string tile(const Product&, const Capabilities&) const;                         // for people
  std::vector<Panel> store(const Product&, const Capabilities&) const;  // how it wants the weight B stored; empty: as it is
};

// All of a family for a product that it does not refuse.
std::vector<ProductCandidate> candidates_of(const ProductKernel& kernel, const Product& product, const Capabilities& caps);

// By its name; "split" alone is the usual variant with k in parts.
std::optional<ProductCandidate> candidate_named(const ProductKernel& kernel, std::string_view name, const Product& product, const Capabilities& caps);

}  // namespace dbk::gpu
