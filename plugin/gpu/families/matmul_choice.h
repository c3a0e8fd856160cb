// Which kernel computes a product. In order: what the host forces (option matmul_family), then what the adapter's kind prefers; the first
// that can, and is worth it for these extents, is taken. Each one passed over says why not.
#pragma once

#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

struct MatmulChoice {
  const ProductKernel* kernel;
  uint32_t first_program;  // of the kernel, among those of all candidates
  Choice told;             // for people
};

// Kernels that may be taken for the product with some extents, in the order of their programs.
std::vector<const ProductKernel*> matmul_candidates(const Product& product, const Capabilities& caps);

MatmulChoice choose_matmul(const Product& product, const Capabilities& caps);

// How the weight B is stored for the kernel that will read it; empty: as it is.
std::vector<Panel> matmul_storage(const Product& product, const Capabilities& caps);

// Empty, or which controls contradict the adapter: both by name.
std::string refuse_controls(const Capabilities& caps);

}  // namespace dbk::gpu
