#include "plugin/gpu/families/attention_dispatch.h"

#include "plugin/gpu/families/attention_line.h"
#include "plugin/gpu/families/attention_params.h"
#include "plugin/gpu/families/attention_tile.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

uint32_t width_of(const AttentionGeometry& g) { return in_vectors(g) ? 4 : 1; }

// How the keys of a row are cut where lanes own keys.
struct Cut {
  uint32_t parts = 1, part_keys = 0;
};

AttentionParams params_of(const AttentionGeometry& g, const AttentionTile& tile, const Cut& cut) {
  AttentionParams params = attention_params(g, tile.rows(), tile.columns, tile.width);
  params.tiles *= cut.parts;
  params.parts = cut.parts, params.part_keys = cut.part_keys;
  return params;
}

// ---- lanes that own keys ----

using Owns = AttentionTile::Owns;

// A software adapter reads keys fastest where all lanes share them, and has few cores to keep busy.
bool may_own_keys(const AttentionForm& form, const Capabilities& caps) {
  return !caps.cpu_adapter && !form.scores && form.reads() + form.writes() + 1 <= caps.max_storage_bindings;
}

constexpr int64_t kFewQueries = 8;   // keys are read again for each; with more rows, lanes that own them are busy
constexpr uint32_t kKeysOfLane = 8;   // at least, else its sum is not worth storing

// A row's keys in parts of full workgroups. Groups enough to fill any device are reached with parts of the least size; beyond
// kMostGroups, parts grow.
Cut cut_of(const AttentionGeometry& g, uint32_t lanes) {
  constexpr uint64_t kMostGroups = 4096;
  const uint64_t step = uint64_t{lanes} * kKeysOfLane, rows = static_cast<uint64_t>(g.batch * g.heads * g.queries);
  const uint64_t most = std::max<uint64_t>(kMostGroups / std::max<uint64_t>(rows, 1), 1);
  const uint64_t part_keys = step * ceil_div(ceil_div(static_cast<uint64_t>(g.keys), step), most);
  return {static_cast<uint32_t>(ceil_div(static_cast<uint64_t>(g.keys), part_keys)), static_cast<uint32_t>(part_keys)};
}

struct MergeParams {  // kernels/attention/merge.wgsl
  uint32_t count, columns, queries, heads;
  uint32_t slots, unseen, pad[2];
  AttentionPlace y;
};

// What lanes store: sums of values, and a largest score with a sum of weights.
struct Found {
  uint64_t slots, sums_bytes, levels_bytes;
};
Found found_of(const AttentionGeometry& g, uint32_t lanes, const Cut& cut) {
  const uint64_t slots = static_cast<uint64_t>(g.batch * g.heads * g.queries) * cut.parts * lanes;
  return {slots, slots * static_cast<uint64_t>(g.v_head_size) * 4, slots * 8};
}

// Empty, or why lanes do not own keys with these extents.
std::string refuse_keys(const AttentionGeometry& g, const AttentionForm& form, uint32_t lanes, const Capabilities& caps) {
  if (!may_own_keys(form, caps)) return "not for this node on this adapter";
  if (g.queries > kFewQueries) return std::format("more than {} queries", kFewQueries);
  if (g.keys < int64_t{2} * lanes * kKeysOfLane) return std::format("less than {} keys", 2 * lanes * kKeysOfLane);
  const Found found = found_of(g, lanes, cut_of(g, lanes));
  const bool held = std::max(found.sums_bytes, found.levels_bytes) <= caps.max_binding && found.slots * static_cast<uint64_t>(g.v_head_size) <= INT32_MAX;
  return held ? "" : "what lanes find does not fit a binding";
}

void push_by_keys(const AttentionGeometry& g, const AttentionTile& tile, const AttentionArguments& args, const Capabilities& caps,
                  uint32_t program, std::vector<Dispatch>& out) {
  const Cut cut = cut_of(g, tile.lanes);
  const Found found = found_of(g, tile.lanes, cut);
  const Argument sums = scratch(args.scratch, found.sums_bytes), levels = scratch(args.scratch + 1, found.levels_bytes);
  const AttentionParams params = params_of(g, tile, cut);
  out.push_back({program, args.with({sums, levels}), grid_of(params.tiles, caps), to_params(params)});
  const uint32_t columns = tile.v_size / tile.width;
  const uint32_t count = params.heads * to_u32(g.batch) * params.queries * columns;
  const MergeParams merge{count, columns, params.queries, params.heads, cut.parts * tile.lanes, params.unseen, {}, params.y};
  out.push_back({program + 1, {sums, levels, args.y}, grid_of(ceil_div(count, kGroupSize), caps), to_params(merge)});
}

Program merge_program(const AttentionForm& form, uint32_t width) {
  const auto wide = [&](std::string_view type) { return width == 4 ? std::format("vec4<{}>", type) : std::string(type); };
  ProgramText text;
  text.arithmetic(form.elements).alias("part", wide("f32")).alias("result", wide("elem")).file("attention/merge").file("_math");
  return {std::format("attention/{}/merge{}", to_string(form.elements), width), text, 2, 1};
}

uint32_t lane_program_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  return (heads_in_vectors(g) ? 2 : 1) * (may_own_keys(form, caps) ? 3 : 1);
}

}  // namespace

// Of each width: lanes that own rows, and lanes that own keys with the program that merges what they found. Behind them the ways of lines
// and of tiles.
uint32_t attention_program_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  return lane_program_count(g, form, caps) + attention_line_count(g, form, caps) + attention_tile_count(g, form, caps);
}

void attention_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out) {
  for (uint32_t width : {1u, 4u}) {
    if (width == 4 && !heads_in_vectors(g)) continue;
    for (Owns owns : {Owns::Row, Owns::Keys}) {
      if (owns == Owns::Keys && !may_own_keys(form, caps)) continue;
      const AttentionTile tile = attention_tile(g.head_size, g.v_head_size, width, owns, caps);
      out.push_back({attention_label(tile, form), written_by<attention_text>(tile, form.of_texts()), form.reads(), form.writes() + (tile.by_keys() ? 1 : 0)});
      if (tile.by_keys()) out.push_back(merge_program(form, width));
    }
  }
  attention_line_programs(g, form, caps, out);
  attention_tile_programs(g, form, caps, out);
}

void push_attention(const AttentionGeometry& g, const AttentionForm& form, const AttentionArguments& args, const Capabilities& caps,
                    uint32_t first_program, std::vector<Dispatch>& out) {
  const uint32_t width = width_of(g), ways = may_own_keys(form, caps) ? 3 : 1;
  if (attention_line_count(g, form, caps) > 0 && refuse_lines(g, form.line_keys, caps).empty())
    return push_attention_lines(g, form, args, first_program + lane_program_count(g, form, caps), caps, out);
  const uint32_t program = first_program + (width == 4 ? ways : 0);
  const AttentionTile by_rows = attention_tile(g.head_size, g.v_head_size, width, Owns::Row, caps);
  if (refuse_keys(g, form, by_rows.lanes, caps).empty()) {
    const AttentionTile by_keys = attention_tile(g.head_size, g.v_head_size, width, Owns::Keys, caps);
    return push_by_keys(g, by_keys, args, caps, program + 1, out);
  }
  if (refuse_tiles(g, form, caps).empty())
    return push_attention_tiles(g, form, args, first_program + lane_program_count(g, form, caps) + attention_line_count(g, form, caps), caps, out);
  const AttentionParams params = params_of(g, by_rows, {});
  out.push_back({program, args.with({args.y}), grid_of(params.tiles, caps), to_params(params)});
}

// On software adapters lines, where barriers are dear; on hardware keys for few queries and tiles for more. Rows take what is left.
Choice attention_choice(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  const AttentionTile rows = attention_tile(g.head_size, g.v_head_size, width_of(g), Owns::Row, caps);
  std::vector<Choice::Other> others;
  const auto takes = [&](std::string_view way, const std::string& why_not) {
    if (!why_not.empty()) others.push_back({std::string(way), why_not});
    return why_not.empty();
  };
  const auto told = [&](std::string_view way, std::string tile, std::string_view reason) {
    return Choice{std::string(way), std::move(tile), std::string(reason), std::move(others), {}, {}, {}};
  };
  if (caps.cpu_adapter) {
    const std::string no_lines = attention_line_count(g, form, caps) == 0 ? "not for this node on this adapter" : refuse_lines(g, form.line_keys, caps);
    if (takes("lines", no_lines)) return told("lines", line_tile(form), "vector loads, the fastest on CPU adapters");
  } else {
    if (takes("keys", refuse_keys(g, form, rows.lanes, caps))) return told("keys", std::format("{} keys at a time", rows.lanes), "few queries and many keys");
    if (takes("tile", refuse_tiles(g, form, caps))) return told("tile", attention_tile_size(g, form, caps), "queries enough to share keys and values in workgroup memory");
  }
  return told("rows", std::format("{} queries", rows.lanes), "each lane has a query");
}

}  // namespace dbk::gpu
