#include "plugin/gpu/families/attention_dispatch.h"

#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

struct Operand {
  uint32_t first, batch, head, row;
};
struct Params {  // kernels/attention/place.wgsl
  uint32_t tiles, row_tiles, column_tiles, heads;
  uint32_t queries, keys, group;
  int32_t causal_offset;
  float scale, softcap;
  uint32_t unseen, zero;
  Operand q, k, v, y, past_k, past_v;
  uint32_t mask[2][4];
  uint32_t mask_keys[2], past, ends_meet;
  float filter_value;
  uint32_t window, pad[2];
};
static_assert(sizeof(Params) == 208);

constexpr uint32_t kNan = 0x7fc00000u;
bool in_vectors(const AttentionOperand& o) { return (o.first | o.batch | o.head | o.row) % 4 == 0; }
bool heads_in_vectors(const AttentionGeometry& g) { return g.head_size % 4 == 0 && g.v_head_size % 4 == 0; }
uint32_t width_of(const AttentionGeometry& g) {
  const bool aligned = in_vectors(g.q) && in_vectors(g.k) && in_vectors(g.v) && in_vectors(g.y) && in_vectors(g.past_k) && in_vectors(g.past_v);
  return heads_in_vectors(g) && aligned ? 4 : 1;
}

Operand operand_of(const AttentionOperand& o, uint32_t width) {
  return {to_u32(o.first / width), to_u32(o.batch / width), to_u32(o.head / width), to_u32(o.row / width)};
}

void set_masks(const AttentionGeometry& g, Params& params) {
  for (size_t i = 0; i < g.mask_count; ++i) {
    const AttentionMask& m = g.masks[i];
    const int64_t strides[] = {m.batch, m.head, m.row, m.key};
    params.mask_keys[i] = to_u32(m.keys);
    if (m.keys > 0) std::transform(std::begin(strides), std::end(strides), params.mask[i], to_u32);
  }
}

Params params_of(const AttentionGeometry& g, const AttentionTile& tile) {
  Params params{};
  params.row_tiles = to_u32(ceil_div(g.queries, tile.lanes)), params.column_tiles = to_u32(ceil_div(g.v_head_size, tile.columns));
  params.heads = to_u32(g.heads), params.group = to_u32(g.group());
  params.tiles = params.row_tiles * params.column_tiles * to_u32(g.batch) * params.heads;
  params.queries = to_u32(g.queries), params.keys = to_u32(g.keys), params.past = to_u32(g.past);
  params.causal_offset = static_cast<int32_t>(g.causal ? g.causal_offset : g.keys);
  params.ends_meet = g.causal && g.ends_meet ? 1 : 0;
  params.scale = static_cast<float>(g.scale), params.softcap = static_cast<float>(g.softcap);
  params.window = to_u32(std::min<int64_t>(g.window, INT32_MAX));
  params.filter_value = static_cast<float>(g.filter);
  params.unseen = g.masked_rows_zero || g.keys == 0 ? 0 : kNan;
  params.q = operand_of(g.q, tile.width), params.k = operand_of(g.k, tile.width), params.v = operand_of(g.v, tile.width);
  params.past_k = operand_of(g.past_k, tile.width), params.past_v = operand_of(g.past_v, tile.width);
  params.y = operand_of(g.y, tile.width);
  set_masks(g, params);
  return params;
}

}  // namespace

uint32_t attention_program_count(const AttentionGeometry& g) { return heads_in_vectors(g) ? 2 : 1; }

void attention_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out) {
  for (uint32_t width : {1u, 4u}) {
    if (width == 4 && !heads_in_vectors(g)) continue;
    const AttentionTile tile = attention_tile(g.head_size, g.v_head_size, width, caps);
    out.push_back({attention_label(tile, form), attention_text(tile, form), form.reads(), form.writes()});
  }
}

Dispatch attention_dispatch(const AttentionGeometry& g, std::vector<Argument> args, const Capabilities& caps) {
  const uint32_t width = width_of(g);
  const Params params = params_of(g, attention_tile(g.head_size, g.v_head_size, width, caps));
  return {width == 4 ? 1u : 0u, std::move(args), grid_of(params.tiles, caps), to_params(params)};
}

}  // namespace dbk::gpu
