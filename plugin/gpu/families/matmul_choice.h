// Which kernel computes a product, the one place that decides it, from the product and the adapter's Capabilities alone. In order: what
// the host forces (options matmul_family and matmul_variant), what was measured of such products (Capabilities::tuned), what the
// adapter's kind prefers; the first that can, and is worth it for these extents, is taken. Each one passed over says why not.
#pragma once

#include <functional>

#include "plugin/gpu/families/product_candidate.h"

namespace dbk::gpu {

struct MatmulChoice {
  ProductCandidate taken;
  uint32_t first_program;  // of what is taken, among those of all candidates
  Choice told;             // for people
};

// What may be taken for the product with some extents, in the order of its programs.
std::vector<ProductCandidate> matmul_candidates(const Product& product, const Capabilities& caps);

MatmulChoice choose_matmul(const Product& product, const Capabilities& caps);

// How the weight B is stored for the kernel that will read it; empty: as it is.
std::vector<Panel> matmul_storage(const Product& product, const Capabilities& caps);

// Whether option precision=f16_f32acc rounds operands on this adapter.
bool rounds_products(const Capabilities& caps);

// Families of kernels: those that the adapter's kind prefers, in order, and the others.
struct FamilyOrder {
  std::vector<const ProductKernel*> usual, others;
};
FamilyOrder matmul_families(const Capabilities& caps);

// Empty, or which controls contradict each other or the adapter: both by name. `told` says what an option is set to, and by what.
std::string refuse_controls(const Capabilities& caps, const std::function<std::string(const char*)>& told);

}  // namespace dbk::gpu
