// Attention in one dispatch, whichever op asks for it: host_fallback/attention_geometry.h says where its operands lie,
// attention_text.h how the programs work.
#include <bit>

#include "host_fallback/attention_geometry.h"
#include "plugin/gpu/families/attention_text.h"
#include "plugin/gpu/families/families.h"
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
  Operand q, k, v, y;
  uint32_t mask[4];
};
static_assert(sizeof(Params) == 128);

constexpr size_t kQ = 0, kK = 1, kV = 2, kMask = 3;
constexpr uint32_t kNan = 0x7fc00000u;

AttentionGeometry geometry_of(const TypedNode& node) {
  return windowed_attention(*node.attrs, node.inputs[kQ].shape, node.inputs[kK].shape, node.inputs[kV].shape,
                            node.has(kMask) ? &node.inputs[kMask].shape : nullptr);
}

AttentionTypes types_of(const TypedNode& node) {
  return {node.inputs[kQ].dtype, node.has(kMask) ? node.inputs[kMask].dtype : DBK_DTYPE_NONE, node.attrs->real("softcap") != 0};
}

bool in_vectors(const AttentionOperand& o) { return (o.first | o.batch | o.head | o.row) % 4 == 0; }
bool heads_in_vectors(const AttentionGeometry& g) { return g.head_size % 4 == 0 && g.v_head_size % 4 == 0; }
uint32_t width_of(const AttentionGeometry& g) {
  const bool aligned = in_vectors(g.q) && in_vectors(g.k) && in_vectors(g.v) && in_vectors(g.y);
  return heads_in_vectors(g) && aligned ? 4 : 1;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kQ); !reason.empty()) return reason;
  if (node.has(kMask) && !contains(F32 | F16 | BOOL, node.inputs[kMask].dtype))
    return std::format("a mask of {} has no kernel", to_string(node.inputs[kMask].dtype));
  return refuse_operands(node, caps);
}

// Strides decide between vectors and elements, and those can change from run to run; sizes of heads cannot.
void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const AttentionGeometry g = geometry_of(node);
  const AttentionTypes types = types_of(node);
  for (uint32_t width : {1u, 4u}) {
    if (width == 4 && !heads_in_vectors(g)) continue;
    const AttentionTile tile = attention_tile(g.head_size, g.v_head_size, width, caps);
    out.push_back({attention_label(tile, types), attention_text(tile, types), node.has(kMask) ? 4u : 3u, 1});
  }
}

Operand operand_of(const AttentionOperand& o, uint32_t width) {
  return {to_u32(o.first / width), to_u32(o.batch / width), to_u32(o.head / width), to_u32(o.row / width)};
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const AttentionGeometry g = geometry_of(node);
  const uint32_t width = width_of(g);
  const AttentionTile tile = attention_tile(g.head_size, g.v_head_size, width, caps);
  Params params{};
  params.row_tiles = to_u32(ceil_div(g.queries, tile.lanes)), params.column_tiles = to_u32(ceil_div(g.v_head_size, tile.columns));
  params.heads = to_u32(g.heads), params.group = to_u32(g.group());
  params.tiles = params.row_tiles * params.column_tiles * to_u32(g.batch) * params.heads;
  params.queries = to_u32(g.queries), params.keys = to_u32(g.keys);
  params.causal_offset = static_cast<int32_t>(g.causal ? g.causal_offset : g.keys);
  params.scale = static_cast<float>(g.scale), params.softcap = static_cast<float>(g.softcap);
  params.unseen = g.masked_rows_zero || g.keys == 0 ? 0 : kNan;
  params.q = operand_of(g.q, width), params.k = operand_of(g.k, width);
  params.v = operand_of(g.v, width), params.y = operand_of(g.y, width);
  const int64_t mask[] = {g.mask.batch, g.mask.head, g.mask.row, g.mask.key};
  std::transform(std::begin(mask), std::end(mask), params.mask, to_u32);
  std::vector<Argument> args{input(kQ), input(kK), input(kV)};
  if (node.has(kMask)) args.push_back(input(kMask));
  args.push_back(output(0));
  out.push_back({width == 4 ? 1u : 0u, std::move(args), grid_of(params.tiles, caps), to_params(params)});
}

}  // namespace

constinit const Family kAttention{"attention", refuse, programs, launch};

}  // namespace dbk::gpu
