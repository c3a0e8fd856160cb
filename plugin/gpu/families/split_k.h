// Split-K: where C has few tiles and k is long, most of a GPU would wait. k is cut into parts, workgroups make the sums of each tile over
// each part, in f32, and a second pass adds the parts up in their order, so that bits repeat, and then does what every product does with
// its sums: scale, addend, epilogue, results by columns. Every kernel that knows Product::cut has it, for each of its variants.
#pragma once

#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

// Whether one sum over all of k would lose too many digits.
bool is_long_sum(const Product& product);

// The product whose C is the sums over parts of k: as many as keep the adapter busy, at least two where k is more than some steps, as far
// as memory for them goes.
Product in_parts(const Product& product, const ProductKernel& kernel, uint32_t variant, const Capabilities& caps);

// Empty, or why k cannot be cut with these extents.
std::string refuse_split(const Product& product, const Capabilities& caps);

// Empty, or why cutting is of no use, by what is known of adapters.
std::string needless_split(const Product& product, const ProductKernel& kernel, uint32_t variant, const Capabilities& caps);

// Whether it may be of use with some extents of A, as far as rules decide it: n and k that never change, and a long k, on CPU adapters a very
// long one. On llvmpipe (2 cores) parts cost as much as they gain: 6 x 16 x 65536 takes 1.3 ms as it is and 1.7 ms in 11 parts, 9 x 17 x 65541 3.1 and 3.2 ms.
bool may_split(const Product& product, const ProductKernel& kernel, const Capabilities& caps);

// The second pass.
Program sum_program(const Product& product);
Dispatch sum_dispatch(const Product& product, const Product& in_parts, uint32_t program, const Capabilities& caps);

}  // namespace dbk::gpu
