// Attention in one dispatch, whichever op asks for it: host_fallback/attention_geometry.h says where its operands lie,
// attention_text.h how the programs work. A cache that is handed on is copied, which takes two dispatches for keys and two for values.
#include "host_fallback/attention_geometry.h"
#include "plugin/gpu/families/attention_text.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"
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
  uint32_t pad[3];
};
static_assert(sizeof(Params) == 208);

constexpr uint32_t kNan = 0x7fc00000u;
constexpr uint32_t kCacheDims = 4;  // of the boxes that are copied

AttentionGeometry geometry_of(const TypedNode& node) {
  return attention_geometry(node.op->id, *node.attrs, OperandTypes(node.inputs));
}

AttentionForm form_of(const TypedNode& node, const AttentionGeometry& g) {
  AttentionForm form{.elements = node.inputs[g.roles.q].dtype};
  for (size_t i = 0; i < g.mask_count; ++i) form.masks[i] = node.inputs[g.masks[i].input].dtype;
  form.masks_may_end = g.mask_count > 0 && node.op->id == "attention";
  form.softcap = g.softcap != 0, form.cap_follows_mask = g.cap_follows_mask;
  form.past = node.has(g.roles.past_k);
  if (node.has(g.roles.lengths)) form.lengths = node.inputs[g.roles.lengths].dtype;
  form.scores = wants(node, g.roles.scores), form.stage = g.stage;
  return form;
}

bool in_vectors(const AttentionOperand& o) { return (o.first | o.batch | o.head | o.row) % 4 == 0; }
bool heads_in_vectors(const AttentionGeometry& g) { return g.head_size % 4 == 0 && g.v_head_size % 4 == 0; }
uint32_t width_of(const AttentionGeometry& g) {
  const bool aligned = in_vectors(g.q) && in_vectors(g.k) && in_vectors(g.v) && in_vectors(g.y) && in_vectors(g.past_k) && in_vectors(g.past_v);
  return heads_in_vectors(g) && aligned ? 4 : 1;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const AttentionGeometry g = geometry_of(node);
  const AttentionForm form = form_of(node, g);
  if (std::string reason = refuse_dtype(node, g.roles.q); !reason.empty()) return reason;
  for (size_t i = 0; i < g.mask_count; ++i)
    if (!contains(F32 | F16 | BOOL | I32, form.masks[i])) return std::format("a mask of {} has no kernel", to_string(form.masks[i]));
  if (g.head_size == 0 || g.v_head_size == 0) return "heads without columns have no kernel";
  if (!wants(node, g.roles.y)) return "scores or caches without the result have no kernel";
  if (node.has(g.roles.bias)) return "a bias of queries, keys and values has no kernel";
  if (const uint32_t all = form.reads() + form.writes(); all > caps.max_storage_bindings)
    return std::format("{} operands and results are more than a kernel binds", all);
  return refuse_operands(node, caps);
}

// Strides decide between vectors and elements, and those can change from run to run; sizes of heads cannot.
void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const AttentionGeometry g = geometry_of(node);
  const AttentionForm form = form_of(node, g);
  for (uint32_t width : {1u, 4u}) {
    if (width == 4 && !heads_in_vectors(g)) continue;
    const AttentionTile tile = attention_tile(g.head_size, g.v_head_size, width, caps);
    out.push_back({attention_label(tile, form), attention_text(tile, form), form.reads(), form.writes()});
  }
  if (wants(node, g.roles.present_k) || wants(node, g.roles.present_v)) move_programs(form.elements, kCacheDims, out);
}

// From input `in`, `rows` rows at `at`, to a dense [batch, heads, keys, size] from element `first_element` of its output on.
void push_rows(const TypedNode& node, const AttentionGeometry& g, size_t in, const AttentionOperand& at, int64_t rows, int64_t size,
               int64_t first_element, size_t to, const Capabilities& caps, std::vector<Dispatch>& out) {
  const uint32_t first = heads_in_vectors(g) ? 2 : 1;  // of the programs that move
  const Shape dense = dense_strides({g.batch, g.kv_heads, g.keys, size});
  const Box box{{{g.batch, g.kv_heads, rows, size}, {Shape{at.batch, at.head, at.row, 1}, dense}}, at.first, first_element};
  const size_t count = out.size();
  push_move(box, node.inputs[in].dtype, kCacheDims, to_u32(static_cast<int64_t>(in)), caps, out, to_u32(static_cast<int64_t>(to)));
  if (out.size() > count) out.back().program += first;
}

void push_cache(const TypedNode& node, const AttentionGeometry& g, const Capabilities& caps, std::vector<Dispatch>& out) {
  const AttentionRoles& r = g.roles;
  const auto push = [&](size_t past, const AttentionOperand& past_at, size_t given, const AttentionOperand& at, int64_t size, size_t to,
                        int64_t first) {
    if (!wants(node, to)) return;
    if (node.has(past)) push_rows(node, g, past, past_at, g.past, size, first, to, caps, out);
    push_rows(node, g, given, at, g.keys - g.past, size, first + g.past * size, to, caps, out);
  };
  push(r.past_k, g.past_k, r.k, g.k, g.head_size, r.present_k, 0);
  push(r.past_v, g.past_v, r.v, g.v, g.v_head_size, r.present_v, g.present_v_first());
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
  params.filter_value = static_cast<float>(g.filter);
  params.unseen = g.masked_rows_zero || g.keys == 0 ? 0 : kNan;
  params.q = operand_of(g.q, tile.width), params.k = operand_of(g.k, tile.width), params.v = operand_of(g.v, tile.width);
  params.past_k = operand_of(g.past_k, tile.width), params.past_v = operand_of(g.past_v, tile.width);
  params.y = operand_of(g.y, tile.width);
  set_masks(g, params);
  return params;
}

// In the order of the program's bindings.
std::vector<Argument> arguments_of(const AttentionGeometry& g, const AttentionForm& form) {
  const AttentionRoles& r = g.roles;
  std::vector<size_t> reads{r.q, r.k, r.v}, writes{r.y};
  if (form.past) reads.insert(reads.end(), {r.past_k, r.past_v});
  for (size_t i = 0; i < g.mask_count; ++i) reads.push_back(g.masks[i].input);
  if (form.has_lengths()) reads.push_back(r.lengths);
  if (form.scores) writes.push_back(r.scores);
  std::vector<Argument> args;
  for (size_t i : reads) args.push_back(input(static_cast<uint32_t>(i)));
  for (size_t i : writes) args.push_back(output(static_cast<uint32_t>(i)));
  if (form.has_lengths()) args.push_back({Argument::Kind::Fault});
  return args;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const AttentionGeometry g = geometry_of(node);
  if (node.outputs[g.roles.y].count() > 0) {
    const uint32_t width = width_of(g);
    const Params params = params_of(g, attention_tile(g.head_size, g.v_head_size, width, caps));
    out.push_back({width == 4 ? 1u : 0u, arguments_of(g, form_of(node, g)), grid_of(params.tiles, caps), to_params(params)});
  }
  push_cache(node, g, caps, out);
}

}  // namespace

constinit const Family kAttention{"attention", refuse, programs, launch};

}  // namespace dbk::gpu
