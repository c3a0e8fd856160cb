#include "plugin/gpu/families/attention_params.h"

#include <algorithm>

#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kNan = 0x7fc00000u;

AttentionPlace place_of(const AttentionOperand& o, uint32_t width) {
  return {to_u32(o.first / width), to_u32(o.batch / width), to_u32(o.head / width), to_u32(o.row / width)};
}

void set_masks(const AttentionGeometry& g, AttentionParams& params) {
  for (size_t i = 0; i < g.mask_count; ++i) {
    const AttentionMask& m = g.masks[i];
    const int64_t strides[] = {m.batch, m.head, m.row, m.key};
    params.mask_keys[i] = to_u32(m.keys);
    if (m.keys > 0) std::transform(std::begin(strides), std::end(strides), params.mask[i], to_u32);
  }
}

bool in_vectors(const AttentionOperand& o) { return (o.first | o.batch | o.head | o.row) % 4 == 0; }

}  // namespace

bool heads_in_vectors(const AttentionGeometry& g) { return g.head_size % 4 == 0 && g.v_head_size % 4 == 0; }

bool in_vectors(const AttentionGeometry& g) {
  return heads_in_vectors(g) && in_vectors(g.q) && in_vectors(g.k) && in_vectors(g.v) && in_vectors(g.y) &&
         in_vectors(g.past_k) && in_vectors(g.past_v);
}

AttentionParams attention_params(const AttentionGeometry& g, uint32_t rows, uint32_t columns, uint32_t width) {
  AttentionParams params{};
  params.row_tiles = to_u32(ceil_div(g.queries, rows)), params.column_tiles = to_u32(ceil_div(g.v_head_size, columns));
  params.heads = to_u32(g.heads), params.group = to_u32(g.group());
  params.tiles = params.row_tiles * params.column_tiles * to_u32(g.batch) * params.heads;
  params.parts = 1;
  params.queries = to_u32(g.queries), params.keys = to_u32(g.keys), params.past = to_u32(g.past);
  params.causal_offset = static_cast<int32_t>(g.causal ? g.causal_offset : g.keys);
  params.ends_meet = g.causal && g.ends_meet ? 1 : 0;
  params.scale = static_cast<float>(g.scale), params.softcap = static_cast<float>(g.softcap);
  params.window = to_u32(std::min<int64_t>(g.window, INT32_MAX));
  params.filter_value = static_cast<float>(g.filter);
  params.unseen = g.masked_rows_zero || g.keys == 0 ? 0 : kNan;
  params.q = place_of(g.q, width), params.k = place_of(g.k, width), params.v = place_of(g.v, width);
  params.past_k = place_of(g.past_k, width), params.past_v = place_of(g.past_v, width);
  params.y = place_of(g.y, width);
  set_masks(g, params);
  return params;
}

}  // namespace dbk::gpu
