#include "host_fallback/microsoft_attention.h"

#include <cmath>

namespace dbk {

namespace {

constexpr double kMaskFilter = -10000;  // what a masked key's score has added, unless a node says otherwise

int64_t heads_of(const Attributes& attrs) {
  const int64_t heads = attrs.integer("num_heads");
  if (heads < 1 || heads > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "num_heads is {}", heads);
  return heads;
}

// A scale of 0 stands for the usual one.
void set_numbers(const Attributes& attrs, AttentionGeometry& g) {
  const double scale = attrs.has("scale") ? attrs.real("scale") : 0;
  g.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(std::max<int64_t>(g.head_size, 1)));
  g.filter = attrs.has("mask_filter_value") ? attrs.real("mask_filter_value") : kMaskFilter;
  g.causal = attrs.integer("unidirectional") != 0, g.causal_offset = g.past;
  g.masked_rows_zero = true;
}

// [keys] of each batch that count, or an element for each key, or for each query and key; 0 masks.
void set_padding_mask(const OperandTypes& in, size_t input, AttentionGeometry& g) {
  if (!in.has(input)) return;
  const Shape& mask = in.shape(input);
  const Shape keys{g.batch, g.keys}, scores{g.batch, g.queries, g.keys};
  if (mask == Shape{g.batch}) {
    g.roles.lengths = input;
  } else if (mask == keys || mask == scores) {
    const bool rows = mask.rank() == 3;
    g.masks[g.mask_count++] = {input, (rows ? g.queries : 1) * g.keys, 0, rows ? g.keys : 0, 1, g.keys};
  } else {
    fail(DBK_UNIMPLEMENTED, "a padding mask of shape {}; {}, {} and {} are supported", to_string(mask), to_string(Shape{g.batch}),
         to_string(keys), to_string(scores));
  }
}

// ---- MultiHeadAttention ----

enum MultiHead : size_t { kQuery, kKey, kValue, kBias, kPadding, kAdded, kPastKey, kPastValue, kPastLength, kIndirection };

void refuse_rest(const OperandTypes& in) {
  for (size_t i : {kPastLength, kIndirection})
    if (in.has(i)) fail(DBK_UNIMPLEMENTED, "{} is given", i == kPastLength ? "past_sequence_length" : "cache_indirection");
}

AttentionOperand side_by_side(const Shape& shape, int64_t heads) { return {0, shape[1] * shape[2], shape[2] / heads, shape[2]}; }

// [batch, rows, heads, parts, size], part number `part`.
AttentionOperand packed_part(const Shape& shape, int64_t part) {
  return {part * shape[4], shape[1] * shape[2] * shape[3] * shape[4], shape[3] * shape[4], shape[2] * shape[3] * shape[4]};
}

[[noreturn]] void fail_shapes(const OperandTypes& in, const AttentionGeometry& g) {
  const auto text = [&](size_t i) { return in.has(i) ? to_string(in.shape(i)) : std::string("none"); };
  fail(DBK_INVALID_ARGUMENT, "num_heads is {}: query {}, key {} and value {} do not fit together", g.heads, text(kQuery), text(kKey), text(kValue));
}

void read_packed(const OperandTypes& in, AttentionGeometry& g) {
  const Shape& q = in.shape(kQuery);
  if (q[2] != g.heads || q[3] != 3 || in.has(kKey) || in.has(kValue)) fail_shapes(in, g);
  g.keys = q[1], g.head_size = g.v_head_size = q[4];
  g.roles.k = g.roles.v = kQuery;
  g.q = packed_part(q, 0), g.k = packed_part(q, 1), g.v = packed_part(q, 2);
}

void read_keys(const OperandTypes& in, AttentionGeometry& g) {
  const Shape &q = in.shape(kQuery), &k = in.shape(kKey);
  if (q.rank() != 3 || q[2] % g.heads != 0 || k.rank() < 3 || k[0] != g.batch) fail_shapes(in, g);
  g.head_size = g.v_head_size = q[2] / g.heads;
  g.q = side_by_side(q, g.heads);
  if (k.rank() == 5) {
    if (k[2] != g.heads || k[3] != 2 || k[4] != g.head_size || in.has(kValue)) fail_shapes(in, g);
    g.keys = k[1], g.roles.v = kKey;
    g.k = packed_part(k, 0), g.v = packed_part(k, 1);
    return;
  }
  if (!in.has(kValue) || in.shape(kValue).rank() != k.rank()) fail_shapes(in, g);
  const Shape& v = in.shape(kValue);
  const bool cached = k.rank() == 4;
  g.keys = cached ? k[2] : k[1];
  if (!cached && v[2] % g.heads != 0) fail_shapes(in, g);
  g.v_head_size = cached ? v[3] : v[2] / g.heads;
  const bool fits = cached ? k == Shape{g.batch, g.heads, g.keys, g.head_size} && v == Shape{g.batch, g.heads, g.keys, g.v_head_size}
                           : k == Shape{g.batch, g.keys, q[2]} && v[0] == g.batch && v[1] == g.keys;
  if (!fits) fail_shapes(in, g);
  g.k = cached ? by_heads(k) : side_by_side(k, g.heads), g.v = cached ? by_heads(v) : side_by_side(v, g.heads);
}

void set_bias(const OperandTypes& in, AttentionGeometry& g) {
  if (!in.has(kBias)) return;
  if (in.shape(kQuery).rank() != 3 || in.shape(kKey).rank() != 3)
    fail(DBK_UNIMPLEMENTED, "a bias for packed or cached operands");
  const Shape expected{g.heads * (2 * g.head_size + g.v_head_size)};
  if (in.shape(kBias) != expected) fail(DBK_INVALID_ARGUMENT, "bias is {}, not {}", to_string(in.shape(kBias)), to_string(expected));
  g.roles.bias = kBias;
}

// ---- ai.daybreak.PackedAttention ----

enum Packed : size_t { kColumns, kMaskIndex, kPast, kAddedMask };

// Columns of queries, keys and values.
std::array<int64_t, 3> column_counts(const Attributes& attrs, const Shape& columns, int64_t heads) {
  std::array<int64_t, 3> counts{columns[2] / 3, columns[2] / 3, columns[2] / 3};
  const bool given = attrs.has("qkv_hidden_sizes") && !attrs.integers("qkv_hidden_sizes").empty();
  if (given) {
    const std::vector<int64_t>& sizes = attrs.integers("qkv_hidden_sizes");
    if (sizes.size() != 3) fail(DBK_INVALID_ARGUMENT, "qkv_hidden_sizes has {} numbers, not 3", sizes.size());
    std::copy(sizes.begin(), sizes.end(), counts.begin());
  }
  const bool fits = counts[0] + counts[1] + counts[2] == columns[2] && counts[0] == counts[1] && counts[0] > 0 && counts[2] > 0;
  if (!fits || counts[0] % heads != 0 || counts[2] % heads != 0)
    fail(DBK_INVALID_ARGUMENT, "num_heads is {}: {} columns cannot be cut in queries, keys and values of {}, {} and {}", heads, columns[2], counts[0],
         counts[1], counts[2]);
  return counts;
}

void set_stacked_cache(const OperandTypes& in, AttentionGeometry& g) {
  g.roles.present_k = g.roles.present_v = 1;
  if (!in.has(kPast)) return;
  const Shape& past = in.shape(kPast);
  const int64_t rows = past.rank() == 5 ? past[3] : 0;
  const Shape expected{2, g.batch, g.heads, rows, g.head_size};
  if (past != expected) fail(DBK_INVALID_ARGUMENT, "past is {}, not {}", to_string(past), to_string(expected));
  g.roles.past_k = g.roles.past_v = kPast;
  g.past = rows, g.keys += rows;
  g.past_k = g.past_v = by_heads({g.batch, g.heads, rows, g.head_size});
  g.past_v.first = g.batch * g.past_v.batch;
}

}  // namespace

AttentionGeometry multi_head_attention(const Attributes& attrs, const OperandTypes& in) {
  refuse_rest(in);
  const Shape& q = in.shape(kQuery);
  if (q.rank() != 3 && q.rank() != 5) fail(DBK_INVALID_ARGUMENT, "query has 3 axes or 5, not {}", to_string(q));
  AttentionGeometry g;
  g.roles = {.k = kKey, .v = kValue, .past_k = kPastKey, .past_v = kPastValue, .present_k = 1, .present_v = 2};
  g.batch = q[0], g.queries = q[1], g.heads = g.kv_heads = heads_of(attrs);
  if (q.rank() == 5) {
    read_packed(in, g);
  } else {
    if (!in.has(kKey)) fail_shapes(in, g);
    read_keys(in, g);
  }
  set_bias(in, g);
  set_result(g, false);
  add_cache(g, in, kPastKey, kPastValue);
  set_numbers(attrs, g);
  set_padding_mask(in, kPadding, g);
  append_mask(g, in, kAdded, false);
  return g;
}

AttentionGeometry packed_attention(const Attributes& attrs, const OperandTypes& in) {
  const Shape& columns = in.shape(kColumns);
  if (columns.rank() != 3) fail(DBK_INVALID_ARGUMENT, "input has 3 axes, not {}", to_string(columns));
  AttentionGeometry g;
  g.roles = {.k = kColumns, .v = kColumns};
  g.batch = columns[0], g.queries = g.keys = columns[1], g.heads = g.kv_heads = heads_of(attrs);
  const auto counts = column_counts(attrs, columns, g.heads);
  g.head_size = counts[0] / g.heads, g.v_head_size = counts[2] / g.heads;
  const int64_t row = columns[2], batch = columns[1] * row;
  g.q = {0, batch, g.head_size, row}, g.k = {counts[0], batch, g.head_size, row}, g.v = {counts[0] + counts[1], batch, g.v_head_size, row};
  set_result(g, false);
  if (g.head_size == g.v_head_size) {
    set_stacked_cache(in, g);
  } else if (in.has(kPast)) {
    fail(DBK_UNIMPLEMENTED, "a past of keys and values of different sizes, {} and {}", g.head_size, g.v_head_size);
  }
  set_numbers(attrs, g);
  set_padding_mask(in, kMaskIndex, g);
  append_mask(g, in, kAddedMask, false);
  return g;
}

}  // namespace dbk
