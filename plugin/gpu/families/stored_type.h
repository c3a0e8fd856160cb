// Element types as kernels/_stored.wgsl describes them.
#pragma once

#include "host_fallback/number_block.h"
#include "plugin/gpu/family.h"

namespace dbk::gpu {

// What kernels read and write through f32: everything below 32 bits, f32, and i32 as far as f32 holds it.
inline constexpr DTypeSet kThroughFloat =
    F32 | F16 | BF16 | I8 | U8 | I16 | U16 | I32 | BOOL | SMALL_INTS | SMALL_FLOATS;

// The constant: `const NAME = Stored(...);`
std::string stored_type(std::string_view name, DType dtype, Conversion conversion = {});

// Whole words of a tensor's storage that elements lie in.
inline uint64_t words_of(const TensorType& type) { return (static_cast<uint64_t>(type.bytes()) + 3) / 4; }

}  // namespace dbk::gpu
