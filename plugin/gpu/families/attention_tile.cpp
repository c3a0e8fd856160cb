#include "plugin/gpu/families/attention_tile.h"

#include "plugin/gpu/families/attention_params.h"
#include "plugin/gpu/families/attention_tile_text.h"
#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

// A tile computes all its rows, those behind the last query for nothing. An invocation of `rows` makes all products of its row alone, one of
// a tile half as many or less, so that a tile is done sooner even where few of its rows are queries; below 8 of 64 the work in vain, which
// keeps other workgroups waiting, is too much.
constexpr int64_t kLeastQueries = 8;

std::optional<FlashTile> tile_of(const AttentionGeometry& g, const AttentionForm& form, uint32_t width, const Capabilities& caps) {
  return flash_tile(g.head_size, g.v_head_size, width, form.elements, caps);
}

// Empty, or why such a node never takes the way.
std::string refuse_ever(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  if (caps.cpu_adapter) return "barriers are dear on software adapters";
  if (form.scores) return "scores are kept";
  if (!tile_of(g, form, 1, caps))
    return std::format("heads of {} and {} columns leave no room for a tile in {} bytes of workgroup memory", g.head_size, g.v_head_size, caps.max_group_memory);
  return {};
}

}  // namespace

uint32_t attention_tile_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  return !form.tiles || !refuse_ever(g, form, caps).empty() ? 0 : heads_in_vectors(g) ? 2 : 1;
}

void attention_tile_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out) {
  const uint32_t count = attention_tile_count(g, form, caps);
  for (uint32_t i = 0; i < count; ++i) {
    const FlashTile tile = *tile_of(g, form, i == 0 ? 1 : 4, caps);
    out.push_back({flash_label(tile, form), written_by<flash_text>(tile, form.of_texts()), form.reads(), form.writes()});
  }
}

bool worth_tiles(const AttentionGeometry& g) { return g.queries >= kLeastQueries; }

std::string refuse_tiles(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  if (std::string why = refuse_ever(g, form, caps); !why.empty()) return why;
  return worth_tiles(g) ? "" : std::format("less than {} queries leave most of a tile idle", kLeastQueries);
}

std::string attention_tile_size(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  const FlashTile tile = *tile_of(g, form, 1, caps);
  return std::format("{} queries by {} keys, {}x4 each", tile.rows, tile.keys, tile.rows_each);
}

void push_attention_tiles(const AttentionGeometry& g, const AttentionForm& form, const AttentionArguments& args, uint32_t first_program,
                          const Capabilities& caps, std::vector<Dispatch>& out) {
  const uint32_t width = in_vectors(g) ? 4 : 1;
  const AttentionParams params = attention_params(g, tile_of(g, form, width, caps)->rows, to_u32(g.v_head_size), width);
  out.push_back({first_program + (width == 4 ? 1 : 0), args.with({args.y}), grid_of(params.tiles, caps), to_params(params)});
}

}  // namespace dbk::gpu
