// GroupQueryAttention: kernels/group_query_attention writes the caches, and queries that are turned, then attention runs over the caches
// as over any keys. Caches that nobody wants are in scratch memory.
#include "host_fallback/group_query_attention.h"

#include "plugin/gpu/families/attention_dispatch.h"
#include "plugin/gpu/families/attention_tile.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

using enum GroupQuery::Input;

struct Params {  // kernels/group_query_attention/rows.wgsl
  uint32_t count, size, rows, heads;
  float size_inverse, rows_inverse, heads_inverse;
  uint32_t behind;
  uint32_t first, batch, head, row;
  uint32_t given, past, prompt, least, most;
  uint32_t width, angles, interleaved;
};
static_assert(sizeof(Params) == 80);

enum : uint32_t { kPlain, kTurned, kAttend };  // programs
enum : uint32_t { kQueries, kKeys, kValues, kFound };  // scratch memory

// Queries are turned into memory of their own, or read where they are.
GroupQuery group_query_of(const TypedNode& node) {
  GroupQuery a = group_query(*node.attrs, OperandTypes(node.inputs), to_integers(*node.values[kTotal])[0]);
  a.g.q = a.rotary ? by_heads({a.g.batch, a.g.heads, a.g.queries, a.g.head_size}) : a.q;
  return a;
}

AttentionForm form_of(const TypedNode& node, const AttentionGeometry& g) {
  AttentionForm form{.elements = node.inputs[kQuery].dtype};
  if (g.mask_count > 0) form.masks[0] = node.inputs[g.masks[0].input].dtype;
  form.masks_may_end = g.mask_count > 0;
  form.softcap = g.softcap != 0, form.window = g.window != 0, form.zero_key = g.zero_key;
  form.lengths = node.inputs[kLastKeys].dtype, form.lengths_are_last = true, form.keys_written = true;
  form.tiles = !node.fixed_extents || worth_tiles(g);
  return form;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kQuery); !reason.empty()) return reason;
  if (kTotal >= node.values.size() || !node.values[kTotal]) return "the total sequence length is not known before the run";
  const AttentionGeometry g = group_query_of(node).g;
  if (g.head_size == 0) return "heads without columns have no kernel";
  if (!wants(node, 0)) return "caches without the result have no kernel";
  if (g.mask_count > 0 && !contains(F32 | F16, node.inputs[kBias].dtype))
    return std::format("a bias of {} has no kernel", to_string(node.inputs[kBias].dtype));
  if (std::string reason = refuse_size({node.inputs[kQuery].dtype, g.present_k_shape()}, caps); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const DType dtype = node.inputs[kQuery].dtype;
  for (bool turned : {false, true}) {
    ProgramText text;
    text.arithmetic(dtype).file("group_query_attention/rows").file("_fault").file("_indices").file("_divide");
    text.file(turned ? "group_query_attention/turned" : "group_query_attention/plain");
    out.push_back({std::format("group_query_attention/{}/{}", turned ? "turned" : "plain", to_string(dtype)), text, turned ? 5u : 3u, 2});
  }
  const AttentionGeometry g = group_query_of(node).g;
  attention_programs(g, form_of(node, g), caps, out);
}

// One operand of attention: what is given, where, and the cache before it.
struct Rows {
  AttentionOperand at;
  size_t given, past;
  int64_t rows, heads;
  bool turned, behind;
};

void push_rows(const TypedNode& node, const GroupQuery& a, const Rows& rows, const Argument& to, const Capabilities& caps,
               std::vector<Dispatch>& out) {
  const AttentionGeometry& g = a.g;
  const int64_t count = g.batch * rows.heads * rows.rows * g.head_size;
  if (count == 0) return;
  const Params params{to_u32(count), to_u32(g.head_size), to_u32(rows.rows), to_u32(rows.heads),
                      inverse_of(g.head_size), inverse_of(rows.rows), inverse_of(rows.heads), rows.behind ? 1u : 0u,
                      to_u32(rows.at.first), to_u32(rows.at.batch), to_u32(rows.at.head), to_u32(rows.at.row),
                      to_u32(g.queries), to_u32(a.past), a.prompt() ? 1u : 0u, to_u32(a.least_keys()), to_u32(a.total),
                      to_u32(a.turn.width), to_u32(a.turn.cache_rows), a.turn.interleaved ? 1u : 0u};
  const auto in = [](size_t i) { return input(static_cast<uint32_t>(i)); };
  std::vector<Argument> args{in(rows.given), in(node.has(rows.past) ? rows.past : rows.given), in(kLastKeys)};  // never read where there is no past
  if (rows.turned) args.insert(args.end(), {in(kCosine), in(kSine)});
  args.insert(args.end(), {to, fault_of(kLastKeys)});
  out.push_back({rows.turned ? kTurned : kPlain, std::move(args), grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), to_params(params)});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const GroupQuery a = group_query_of(node);
  const AttentionGeometry& g = a.g;
  const auto memory = [&](uint32_t index, const Shape& shape) {
    return scratch(index, static_cast<uint64_t>(byte_size(node.inputs[kQuery].dtype, shape.count())));
  };
  const Argument q = a.rotary ? memory(kQueries, g.y_shape()) : input(kQuery), k = wants(node, 1) ? output(1) : memory(kKeys, g.present_k_shape()),
                 v = wants(node, 2) ? output(2) : memory(kValues, g.present_v_shape());
  if (a.rotary) push_rows(node, a, {a.q, kQuery, kQuery, g.queries, g.heads, true, false}, q, caps, out);
  push_rows(node, a, {a.k, a.packed ? kQuery : kKey, kPastKey, g.keys, g.kv_heads, a.rotary, true}, k, caps, out);
  push_rows(node, a, {a.v, a.packed ? kQuery : kValue, kPastValue, g.keys, g.kv_heads, false, true}, v, caps, out);
  if (node.outputs[0].count() == 0) return;
  AttentionArguments args{.operands = {q}, .y = output(0), .behind = {fault_of(kLastKeys)}, .scratch = kFound};
  if (g.mask_count > 0) args.operands.push_back(input(kBias));
  args.operands.insert(args.operands.end(), {input(kLastKeys), k, v});
  push_attention(g, form_of(node, g), args, caps, kAttend, out);
}

Choice choice(const TypedNode& node, const Capabilities& caps) {
  if (node.outputs[0].count() == 0) return {"none", "", "the result is empty", {}};
  const GroupQuery a = group_query_of(node);
  Choice choice = attention_choice(a.g, form_of(node, a.g), caps);
  choice.reason += a.rotary ? "; queries are turned and caches written first" : "; caches are written first";
  return choice;
}

}  // namespace

constinit const Family kGroupQueryAttention{"group_query_attention", refuse, programs, launch, nullptr, choice};

}  // namespace dbk::gpu
