// Attention, whichever op asks for it: host_fallback/attention_geometry.h says where its operands lie,
// attention_text.h how the programs work. A cache that is handed on is copied, which takes two dispatches for keys and two for values.
#include "plugin/gpu/families/attention_dispatch.h"
#include "plugin/gpu/families/attention_line.h"
#include "plugin/gpu/families/attention_tile.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"
#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kCacheDims = 4;  // of the boxes that are copied

AttentionGeometry geometry_of(const TypedNode& node) {
  return attention_geometry(node.op->id, *node.attrs, OperandTypes(node.inputs));
}

AttentionForm form_of(const TypedNode& node, const AttentionGeometry& g, const Capabilities& caps) {
  AttentionForm form{.elements = node.inputs[g.roles.q].dtype};
  for (size_t i = 0; i < g.mask_count; ++i) form.masks[i] = node.inputs[g.masks[i].input].dtype;
  form.masks_may_end = g.mask_count > 0 && node.op->id == "attention";
  form.softcap = g.softcap != 0, form.cap_follows_mask = g.cap_follows_mask;
  form.past = node.has(g.roles.past_k);
  if (node.has(g.roles.lengths)) form.lengths = node.inputs[g.roles.lengths].dtype;
  form.scores = wants(node, g.roles.scores), form.stage = g.stage;
  form.line_keys = node.fixed_extents ? line_keys(g) : 0;
  form.lines = node.unbounded || (node.fixed_extents ? refuse_lines(g, form.line_keys, caps).empty() : enough_scores_for_lines(g));
  form.tiles = !node.fixed_extents || worth_tiles(g);
  return form;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const AttentionGeometry g = geometry_of(node);
  const AttentionForm form = form_of(node, g, caps);
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

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const AttentionGeometry g = geometry_of(node);
  const AttentionForm form = form_of(node, g, caps);
  attention_programs(g, form, caps, out);
  if (wants(node, g.roles.present_k) || wants(node, g.roles.present_v)) move_programs(form.elements, kCacheDims, out);
}

// From input `in`, `rows` rows at `at`, to a dense [batch, heads, keys, size] from element `first_element` of its output on.
void push_rows(const TypedNode& node, const AttentionGeometry& g, size_t in, const AttentionOperand& at, int64_t rows, int64_t size,
               int64_t first_element, size_t to, const Capabilities& caps, std::vector<Dispatch>& out) {
  const uint32_t first = attention_program_count(g, form_of(node, g, caps), caps);  // of the programs that move
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

AttentionArguments arguments_of(const AttentionGeometry& g, const AttentionForm& form) {
  const AttentionRoles& r = g.roles;
  std::vector<size_t> reads{r.q, r.k, r.v};
  if (form.past) reads.insert(reads.end(), {r.past_k, r.past_v});
  for (size_t i = 0; i < g.mask_count; ++i) reads.push_back(g.masks[i].input);
  if (form.has_lengths()) reads.push_back(r.lengths);
  AttentionArguments args{.operands = {}, .y = output(static_cast<uint32_t>(r.y)), .behind = {}};
  for (size_t i : reads) args.operands.push_back(input(static_cast<uint32_t>(i)));
  if (form.scores) args.behind.push_back(output(static_cast<uint32_t>(r.scores)));
  if (form.has_lengths()) args.behind.push_back(fault_of(static_cast<uint32_t>(r.lengths)));
  return args;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const AttentionGeometry g = geometry_of(node);
  const AttentionForm form = form_of(node, g, caps);
  if (node.outputs[g.roles.y].count() > 0) push_attention(g, form, arguments_of(g, form), caps, 0, out);
  push_cache(node, g, caps, out);
}

Choice choice(const TypedNode& node, const Capabilities& caps) {
  const AttentionGeometry g = geometry_of(node);
  return attention_choice(g, form_of(node, g, caps), caps);
}

}  // namespace

constinit const Family kAttention{"attention", refuse, programs, launch, nullptr, choice};

}  // namespace dbk::gpu
