// Where `line` finds B: in the blocks of columns in which a weight is stored, or in such blocks in scratch memory, where a dispatch of its
// own puts a B that is stored as columns.
#pragma once

#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

enum : uint32_t { kSumMemory, kTurnedMemory };  // scratch memories of `line`

// Whether a weight may be stored in blocks, which nobody else reads: whatever rows A has, `line` must take them.
bool may_be_in_blocks(const Product& product);
// Whether it is; asked before B's panels are known, whether it may be.
bool will_be_in_blocks(const Product& product);

inline bool turns_b(const Product& product) { return product.trans_b && !will_be_in_blocks(product); }

// A panel of B at a time.
uint64_t turned_bytes(const Product& product, const Panel& panel);
Argument turned_b(const Product& product, const Panel& panel);
Product reading_turned(const Product& product, const Panel& panel);  // with strides of turned matrices

Program turn_program(const Product& product);
Dispatch turn_dispatch(const Product& product, uint32_t panel, uint32_t program, const Capabilities& caps);

}  // namespace dbk::gpu
