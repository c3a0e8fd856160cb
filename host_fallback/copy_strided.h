// The copy behind ops whose output reads the input at strides: Slice, Split, Expand, Tile.
#pragma once

#include "host_fallback/tensor.h"

namespace dbk {

// out[c] = in[first + c . strides] for every coordinate c of the output, in element strides. Of types in MOVABLE.
void copy_strided(const Tensor& in, int64_t first, const Shape& strides, Tensor& out);

}  // namespace dbk
