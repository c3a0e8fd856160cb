// Which kernels are worth measuring for a product.
#pragma once

#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

struct KernelName {
  std::string family, variant;

  bool operator==(const KernelName&) const = default;
  std::string text() const { return family + " " + variant; }
};

// All kernels that take the product with these extents: first what is taken without measurements, then the best of each family by the same
// knowledge, then their other variants; families that the adapter's kind does not choose by itself come last.
std::vector<KernelName> matmul_trials(const Product& product, const Capabilities& caps);

}  // namespace dbk::gpu
