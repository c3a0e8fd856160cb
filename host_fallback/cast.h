// Casting whole tensors, for Cast and CastLike.
#pragma once

#include "host_fallback/attributes.h"
#include "host_fallback/number_block.h"

namespace dbk {

// From the attributes saturate and round_mode, where the op's version has them; throws for an unknown mode.
Conversion conversion_of(const Attributes& attrs);

// Every element of a tensor, to the type of another of the same shape. Both types are of REAL.
void cast_elements(const Tensor& in, Tensor& out, Conversion conversion);

}  // namespace dbk
