// The weights of MatMulNBits: for each column of the product, blocks of codes of 2, 4 or 8 bits along k, each with a
// scale and a zero point.
#pragma once

#include "host_fallback/attributes.h"
#include "host_fallback/tensor.h"

namespace dbk {

struct BlockWeights {
  int64_t n, k, block, bits;
  int64_t blocks() const { return (k + block - 1) / block; }
  int64_t blob_bytes() const { return block * bits / 8; }           // of one block
  int64_t zero_bytes() const { return (blocks() * bits + 7) / 8; }  // of one column, packed
  float default_zero() const { return static_cast<float>(1 << (bits - 1)); }
};

// From the attributes; throws for values out of their domain.
BlockWeights block_weights_of(const Attributes& attrs);

}  // namespace dbk
