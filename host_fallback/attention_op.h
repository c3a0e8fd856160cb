// Shape rule and computation of every op that attention_geometry.h describes.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

void infer_attention(std::string_view id, Infer& infer);
// Throws OUT_OF_RANGE for a number of keys that count which is negative or more than there are.
void compute_attention(std::string_view id, Compute& c);
// Bytes of work memory: keys and values in the order of the products, and operands with their bias, where there is one.
int64_t attention_work_bytes(std::string_view id, const Compute& c);

}  // namespace dbk
