// Geometries of com.microsoft's attention ops.
#pragma once

#include "host_fallback/attention_geometry.h"

namespace dbk {

// com.microsoft.MultiHeadAttention: q, k and v side by side in heads, packed in one tensor or two, or keys and values that are a cache.
AttentionGeometry multi_head_attention(const Attributes& attrs, const OperandTypes& in);
// ai.daybreak.PackedAttention, com.microsoft.Attention behind its product: queries, keys and values are columns of one tensor, past and
// present keys and values one tensor each.
AttentionGeometry packed_attention(const Attributes& attrs, const OperandTypes& in);

}  // namespace dbk
