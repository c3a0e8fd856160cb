// Where the ops of the attention family find queries, keys, values and masks, and what they make of them: one description for the
// computation on the host and for the kernels. For each batch, head and query row
//   y = sum over keys of softmax(mask + cap(scale * q k)) v,   cap(x) = softcap * tanh(x / softcap), or x where softcap is 0.
// Keys are those of a cache, if there is one, followed by those given.
#pragma once

#include <array>
#include <limits>

#include "host_fallback/operand_types.h"

namespace dbk {

// Elements of head h, row r of batch b begin at first + b * batch + h * head + r * row and are consecutive.
struct AttentionOperand {
  int64_t first = 0, batch = 0, head = 0, row = 0;
};

// A bool keeps a score or puts `filter` in its place, a number is added; an i32 adds `filter` where it is 0.
struct AttentionMask {
  size_t input = OperandTypes::kMost;             // of the node; kMost where there is none
  int64_t batch = 0, head = 0, row = 0, key = 0;  // strides; 0 where it is broadcast
  int64_t keys = 0;                               // those behind have no element and are not seen
};

// What an op keeps of the scores, if it is asked to.
enum class ScoreStage : uint8_t { Product, Masked, Capped, Weights };

// Indices of a node's inputs and outputs by their role; kNone where the op has no such operand.
struct AttentionRoles {
  static constexpr size_t kNone = OperandTypes::kMost;
  size_t q = 0, k = 1, v = 2, past_k = kNone, past_v = kNone;
  size_t bias = kNone;     // added to the columns of q, k and v, in this order, before anything else
  size_t lengths = kNone;  // of each batch: how many keys count
  // Outputs. Where past and present have keys and values in one tensor each, [2, batch, heads, keys, columns], it has both roles.
  size_t y = 0, present_k = kNone, present_v = kNone, scores = kNone;
};

struct AttentionGeometry {
  AttentionRoles roles;
  int64_t batch = 0, heads = 0, kv_heads = 0, queries = 0, head_size = 0, v_head_size = 0;
  int64_t past = 0, keys = 0;  // of the cache; of the cache and those given
  AttentionOperand q, k, v, past_k, past_v, y;
  bool heads_first = false;  // y is [batch, heads, queries, v_head_size], not [batch, queries, heads * v_head_size]
  std::array<AttentionMask, 2> masks;  // those that are there come first
  size_t mask_count = 0;
  double scale = 1, softcap = 0;
  double filter = -std::numeric_limits<double>::infinity();  // which excludes a key
  bool cap_follows_mask = false;  // cap(mask + x) instead of mask + cap(x); what a mask excludes stays excluded
  bool causal = false;
  bool ends_meet = false;         // with lengths: the last query sees the last key that counts
  int64_t causal_offset = 0;      // query row s sees keys 0 ... s + causal_offset
  int64_t window = 0;             // of the keys up to its own a query row sees that many; 0: all
  bool zero_key = false;          // one more key that every row sees, with a score and values of 0
  bool masked_rows_zero = false;  // a row that sees no key gives zeros, not NaN
  ScoreStage stage = ScoreStage::Product;

  int64_t group() const { return heads / kv_heads; }  // query heads that share keys and values
  Shape y_shape() const { return heads_first ? Shape{batch, heads, queries, v_head_size} : Shape{batch, queries, heads * v_head_size}; }
  bool stacked() const { return roles.present_k != AttentionRoles::kNone && roles.present_k == roles.present_v; }
  Shape present_k_shape() const { return stacked() ? Shape{2, batch, kv_heads, keys, head_size} : Shape{batch, kv_heads, keys, head_size}; }
  Shape present_v_shape() const { return stacked() ? present_k_shape() : Shape{batch, kv_heads, keys, v_head_size}; }
  int64_t present_v_first() const { return stacked() ? batch * kv_heads * keys * head_size : 0; }  // element of its output
  Shape scores_shape() const { return {batch, heads, queries, keys}; }
};

// Keys that query row `row` sees in a batch of which `length` keys count. Without any key at all the empty sum is 0.
inline int64_t visible_keys(const AttentionGeometry& g, int64_t row, int64_t length) {
  const int64_t offset = g.ends_meet ? length - g.queries : g.causal_offset;
  return g.causal ? std::clamp<int64_t>(row + offset + 1, 0, length) : length;
}

// The first key that it sees.
inline int64_t first_visible_key(const AttentionGeometry& g, int64_t row, int64_t length) {
  if (g.window == 0) return 0;
  const int64_t offset = g.ends_meet ? length - g.queries : g.causal_offset;
  return std::max<int64_t>(row + offset + 1 - g.window, 0);
}

// Attribute that passes alone set, of ops whose heads lie side by side in [batch, rows, columns]: queries, keys and values are columns of
// what is given instead, first column and width of each.
inline constexpr const char* kAttentionWindows = "windows";

// The geometry of any op of the family, by the id of its row. Throws INVALID_ARGUMENT for operands that do not fit.
AttentionGeometry attention_geometry(std::string_view id, const Attributes& attrs, const OperandTypes& in);

// ---- what geometries are made of ----

// Throws INVALID_ARGUMENT where the heads of queries cannot share those of keys.
void check_shared_heads(const AttentionGeometry& g);
// [batch, heads, queries, columns], or heads side by side.
void set_result(AttentionGeometry& g, bool heads_first);
// Input `input`, where there is one, as a mask that broadcasts to [batch, heads, queries, keys]. Where it `may_end`, one that has several
// elements, but fewer than there are keys, leaves the rest unseen.
void append_mask(AttentionGeometry& g, const OperandTypes& in, size_t input, bool may_end);
// Dense [batch, heads, rows, columns].
AttentionOperand by_heads(const Shape& shape);
// Caches of [batch, kv_heads, past, columns]; their keys come on top.
void add_cache(AttentionGeometry& g, const OperandTypes& in, size_t past_k, size_t past_v);

}  // namespace dbk
