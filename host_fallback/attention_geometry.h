// Where the ops of the attention family find queries, keys, values and masks, and what they make of them: one description for the
// computation on the host and for the kernels. For each batch, head and query row
//   y = sum over keys of softmax(mask + cap(scale * q k)) v,   cap(x) = softcap * tanh(x / softcap), or x where softcap is 0.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

// Elements of head h, row r of batch b begin at first + b * batch + h * head + r * row and are consecutive.
struct AttentionOperand {
  int64_t first = 0, batch = 0, head = 0, row = 0;
};

struct AttentionMask {
  int64_t batch = 0, head = 0, row = 0, key = 0;  // strides; 0 where it is broadcast
};

struct AttentionGeometry {
  int64_t batch = 0, heads = 0, kv_heads = 0, queries = 0, keys = 0, head_size = 0, v_head_size = 0;
  AttentionOperand q, k, v, y;
  AttentionMask mask;
  double scale = 1, softcap = 0;
  bool causal = false;
  int64_t causal_offset = 0;      // query row s sees keys 0 ... s + causal_offset
  bool masked_rows_zero = false;  // a row that sees no key gives zeros, not NaN

  int64_t group() const { return heads / kv_heads; }  // query heads that share keys and values
};

// Keys that query row `row` sees. Without any key at all the empty sum is 0.
inline int64_t visible_keys(const AttentionGeometry& g, int64_t row) {
  return g.causal ? std::clamp<int64_t>(row + g.causal_offset + 1, 0, g.keys) : g.keys;
}

// Strides of a mask that broadcasts to [batch, heads, queries, keys]; throws INVALID_ARGUMENT where it does not.
AttentionMask attention_mask(const AttentionGeometry& g, const Shape& mask);

// Of ai.daybreak.Attention: q, k, v of [batch, rows, columns] and windows in their columns. `mask` may be null.
AttentionGeometry windowed_attention(const Attributes& attrs, const Shape& q, const Shape& k, const Shape& v, const Shape* mask);

}  // namespace dbk
