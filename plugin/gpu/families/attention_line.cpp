#include "plugin/gpu/families/attention_line.h"

#include <algorithm>

#include "plugin/gpu/families/attention_line_text.h"
#include "plugin/gpu/families/attention_params.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kRows = kAttentionLineRows;

// How `values` takes the keys: by programs of so many, largest first, of which none crosses the end of a stretch. Keys that never change are cut into
// even parts, any others into a sum of what there is.
struct KeyCut {
  std::vector<uint32_t> depths;
  uint32_t stretch;  // chunks
};
KeyCut key_cut(int64_t fixed_keys) {
  if (fixed_keys == 0) return {{kAttentionLineDepth, 128, 32, kAttentionLineChunk, 1}, kAttentionLineDepth / kAttentionLineChunk};
  const auto keys = static_cast<uint64_t>(fixed_keys), parts = ceil_div(keys, kAttentionLineDepth);
  const auto stretch = static_cast<uint32_t>(ceil_div(ceil_div(keys, parts), kAttentionLineChunk));
  const uint32_t depth = stretch * kAttentionLineChunk, rest = static_cast<uint32_t>(keys % depth);
  KeyCut cut{{}, stretch};
  if (keys >= depth) cut.depths.push_back(depth);
  if (rest > 0) cut.depths.push_back(rest);
  return cut;
}

bool has_masks(const AttentionForm& form) { return form.masks[0] != DBK_DTYPE_NONE || form.masks[1] != DBK_DTYPE_NONE; }

AttentionLine line_of(const AttentionGeometry& g) { return {to_u32(g.head_size), to_u32(g.v_head_size), false}; }

// Numbers of the programs, from the first one on.
struct Numbers {
  uint32_t gather, turn, scores, shared_scores, levels, rows, values, count;
};
Numbers numbers_of(const AttentionForm& form) {
  const uint32_t shared = has_masks(form) ? 1 : 0;  // a program of its own where masks are the same for all queries
  return {0, 1, 2, 2 + shared, 3 + shared, 4 + shared, 5 + shared, 5 + shared + static_cast<uint32_t>(key_cut(form.line_keys).depths.size())};
}

// Floats of a tile between programs.
struct TileFloats {
  uint64_t turned, weights, found, rows, sums;
};

// Filled up to whole workgroups of `scores`, which so need not ask.
uint64_t chunks_of(const AttentionGeometry& g) {
  return ceil_div(static_cast<uint64_t>(g.keys), kAttentionLineChunk * kAttentionLineTeams) * kAttentionLineTeams;
}
uint64_t stretches_of(const AttentionGeometry& g, const KeyCut& cut) { return ceil_div(chunks_of(g), cut.stretch); }

TileFloats floats_of(const AttentionGeometry& g, const KeyCut& cut) {
  constexpr uint64_t kFound = 2 * kRows;
  return {.turned = static_cast<uint64_t>(g.head_size) * kRows, .weights = chunks_of(g) * kAttentionLineChunk * kRows,
          .found = stretches_of(g, cut) * cut.stretch * kFound, .rows = stretches_of(g, cut) * kFound,
          .sums = static_cast<uint64_t>(g.v_head_size) * kRows};
}

uint64_t gathers_of(const AttentionGeometry& g) { return ceil_div(static_cast<uint64_t>(g.keys), kAttentionLineGathered); }
uint64_t key_heads_of(const AttentionGeometry& g) { return static_cast<uint64_t>(g.batch * g.heads / g.group()); }
// As row_of_values() in kernels/attention/line.wgsl has it.
uint64_t value_floats_of(const AttentionGeometry& g) {
  return key_heads_of(g) * (gathers_of(g) | 1) * kAttentionLineGathered * static_cast<uint64_t>(g.v_head_size);
}
uint64_t heads_of(const AttentionGeometry& g) { return static_cast<uint64_t>(g.batch * g.heads); }
uint64_t row_tiles_of(const AttentionGeometry& g) { return ceil_div(static_cast<uint64_t>(g.queries), kRows); }
uint64_t tiles_of(const AttentionGeometry& g) { return row_tiles_of(g) * heads_of(g); }

// Dispatches of `values` for a lot: how the keys are cut.
uint64_t steps_of(const AttentionGeometry& g, const KeyCut& cut) {
  uint64_t steps = 0, left = static_cast<uint64_t>(g.keys);
  for (const uint32_t depth : cut.depths) steps += left / depth, left %= depth;
  return steps;
}

// Whole heads or a part of one at a time, in lots of the same size: their weights stay in the caches of a CPU, or are as large as it takes for few
// dispatches. 12 heads of 512 by 64, two cores with 1 MiB each next to them: 8 MiB 7.5 ms, 2 MiB 8.1, 16 MiB 7.9.
struct Lots {
  uint64_t heads, rows;  // of a lot, the latter in tiles
  uint64_t dispatches;   // of all of them

  uint64_t tiles() const { return heads * rows; }
};
Lots lots_of(const AttentionGeometry& g, const KeyCut& cut, const Capabilities& caps) {
  constexpr uint64_t kCacheBytes = 8 << 20, kFewDispatches = 64;
  const uint64_t bytes = floats_of(g, cut).weights * sizeof(float), heads = heads_of(g), rows = row_tiles_of(g);
  const auto in = [&](uint64_t most_bytes) {
    const uint64_t tiles = std::clamp<uint64_t>(most_bytes / bytes, 1, caps.max_groups);
    const uint64_t by_heads = ceil_div(heads, std::clamp<uint64_t>(tiles / rows, 1, heads)), by_rows = ceil_div(rows, std::min(tiles, rows));
    return Lots{ceil_div(heads, by_heads), ceil_div(rows, by_rows), 2 + by_heads * by_rows * (3 + steps_of(g, cut))};
  };
  uint64_t most_bytes = kCacheBytes;
  Lots lots = in(most_bytes);
  while (lots.dispatches > kFewDispatches && most_bytes < caps.max_binding) lots = in(most_bytes = std::min(2 * most_bytes, caps.max_binding));
  return lots;
}

// The same attention without the keys that no query sees: what lies there may be anything.
AttentionGeometry seen_of(AttentionGeometry g) {
  if (g.queries > 0) g.keys = std::min(g.keys, visible_keys(g, g.queries - 1, g.keys));
  return g;
}

constexpr int64_t kLeastScores = 1 << 18;
int64_t scores_of(const AttentionGeometry& g) { return g.batch * g.heads * g.queries * g.keys; }

struct Scratches {
  Argument values, turned, weights, found, rows, sums;
};

// The dispatches of one lot of tiles, whose queries are turned.
class Lot {
 public:
  // Of `heads` by `rows` tiles from those in `params` on.
  Lot(const AttentionGeometry& g, const AttentionForm& form, const AttentionArguments& args, const Scratches& scratches, uint32_t first_program,
      uint32_t heads, uint32_t rows, AttentionParams params, std::vector<Dispatch>& out)
      : g_(g),
        args_(args),
        scratches_(scratches),
        numbers_(numbers_of(form)),
        cut_(key_cut(form.line_keys)),
        first_(first_program),
        heads_(heads),
        rows_(rows),
        params_(params),
        out_(out) {
    params_.tiles = heads * rows;
  }

  void push(const Capabilities& caps) {
    push_scores();
    push(numbers_.levels, {scratches_.found, scratches_.rows}, {params_.stretches, params_.tiles, 1});
    push(numbers_.rows, {scratches_.rows}, grid_of(ceil_div(uint64_t{params_.tiles} * kRows, kGroupSize), caps));
    push_values();
  }

 private:
  void push(uint32_t program, std::vector<Argument> args, std::array<uint32_t, 3> groups) {
    out_.push_back({first_ + program, std::move(args), groups, to_params(params_)});
  }

  // Operands are q, k, v and the masks.
  void push_scores() {
    const auto shared = [](const AttentionMask& mask) { return mask.row == 0; };
    const bool all_shared = std::all_of(g_.masks.begin(), g_.masks.begin() + static_cast<ptrdiff_t>(g_.mask_count), shared);
    std::vector<Argument> args{scratches_.turned, args_.operands[1]};
    args.insert(args.end(), args_.operands.begin() + 3, args_.operands.end());
    args.insert(args.end(), {scratches_.weights, scratches_.found});
    push(all_shared ? numbers_.shared_scores : numbers_.scores, std::move(args), {params_.parts / kAttentionLineTeams, rows_, heads_});
  }

  void push_values() {
    const AttentionLine line = line_of(g_);
    const uint32_t groups = line.v_size / 4 / line.value_quads() / line.value_teams();
    for (params_.first_key = 0; params_.first_key < params_.keys;) {
      const uint32_t left = params_.keys - params_.first_key;
      const auto depth = std::ranges::find_if(cut_.depths, [left](uint32_t each) { return each <= left; });
      params_.last = *depth == left ? 1 : 0, params_.stretch = params_.first_key / (cut_.stretch * kAttentionLineChunk);
      push(numbers_.values + static_cast<uint32_t>(depth - cut_.depths.begin()),
           {scratches_.weights, scratches_.found, scratches_.rows, scratches_.values, scratches_.sums, args_.y}, {groups, rows_, heads_});
      params_.first_key += *depth;
    }
  }

  const AttentionGeometry& g_;
  const AttentionArguments& args_;
  const Scratches& scratches_;
  const Numbers numbers_;
  const KeyCut cut_;
  const uint32_t first_, heads_, rows_;
  AttentionParams params_;
  std::vector<Dispatch>& out_;
};

}  // namespace

uint32_t attention_line_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps) {
  return attention_line_possible(g.head_size, g.v_head_size, form, caps) ? numbers_of(form).count : 0;
}

void attention_line_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out) {
  if (attention_line_count(g, form, caps) == 0) return;
  AttentionLine line = line_of(g);
  const auto name = [&](std::string_view part) { return std::format("attention/f32/line/{}/{}+{}", part, line.q_size, line.v_size); };
  const uint32_t masks = form.reads() - 3;
  out.push_back({name("gather"), written_by<attention_gather_text>(line), 1, 1});
  out.push_back({name("turn"), written_by<attention_turn_text>(line), 1, 1});
  out.push_back({attention_scores_label(line, form), written_by<attention_scores_text>(line, form.of_texts()), 2 + masks, 2});
  if (has_masks(form)) {
    line.shared_masks = true;
    out.push_back({attention_scores_label(line, form), written_by<attention_scores_text>(line, form.of_texts()), 2 + masks, 2});
  }
  const KeyCut cut = key_cut(form.line_keys);
  out.push_back({std::format("attention/f32/line/levels{}", cut.stretch), written_by<attention_levels_text>(cut.stretch), 0, 2});
  out.push_back({"attention/f32/line/rows", written_by<attention_rows_text>(), 0, 1});
  for (const uint32_t depth : cut.depths) out.push_back({name(std::format("values{}", depth)), written_by<attention_values_text>(line, depth), 4, 2});
}

bool enough_scores_for_lines(const AttentionGeometry& g) { return scores_of(g) >= kLeastScores; }

int64_t line_keys(const AttentionGeometry& g) { return seen_of(g).keys; }

std::string line_tile(const AttentionForm& form) { return std::format("{} queries by {} keys", kRows, key_cut(form.line_keys).depths.front()); }

std::string refuse_lines(const AttentionGeometry& all, int64_t fixed_keys, const Capabilities& caps) {
  constexpr int64_t kLeastOfDispatch = 1 << 18;
  constexpr uint64_t kMostDispatches = 512;  // each has a bind group, of which a driver has so many
  const AttentionGeometry g = seen_of(all);
  if (!in_vectors(g)) return "heads or strides are no multiples of 4";
  const int64_t scores = scores_of(g);
  if (g.queries < kRows / 2 || g.keys < kRows / 2 || scores < kLeastScores) return std::format("{} scores take less time than the dispatches of lines", scores);
  const KeyCut cut = key_cut(fixed_keys);
  const Lots lots = lots_of(g, cut, caps);
  if (lots.dispatches > kMostDispatches) return std::format("lines would take {} dispatches", lots.dispatches);
  if (scores * g.head_size / static_cast<int64_t>(lots.dispatches) < kLeastOfDispatch) return "lines would take dispatches with little to do";
  const TileFloats floats = floats_of(g, cut);
  const uint64_t of_all = std::max(floats.turned * tiles_of(g), value_floats_of(g));
  const uint64_t largest = std::max(of_all, std::max({floats.weights, floats.found, floats.sums}) * lots.tiles()) * sizeof(float);
  if (std::max(chunks_of(g), gathers_of(g)) > caps.max_groups || tiles_of(g) > caps.max_groups || largest > caps.max_binding) return "lines would take larger grids or bindings than there are";
  return {};
}

void push_attention_lines(const AttentionGeometry& all, const AttentionForm& form, const AttentionArguments& args, uint32_t first_program,
                          const Capabilities& caps, std::vector<Dispatch>& out) {
  const AttentionGeometry g = seen_of(all);
  const KeyCut cut = key_cut(form.line_keys);
  const TileFloats floats = floats_of(g, cut);
  const Lots lots = lots_of(g, cut, caps);
  const auto held = [&](uint32_t index, uint64_t count) { return scratch(args.scratch + index, count * sizeof(float)); };
  const Scratches scratches{held(0, value_floats_of(g)),    held(1, floats.turned * tiles_of(g)), held(2, floats.weights * lots.tiles()),
                            held(3, floats.found * lots.tiles()), held(4, floats.rows * lots.tiles()), held(5, floats.sums * lots.tiles())};
  AttentionParams params = attention_params(g, kRows, to_u32(g.v_head_size), 4);
  params.parts = static_cast<uint32_t>(chunks_of(g)), params.stretches = static_cast<uint32_t>(stretches_of(g, cut));
  params.chunks = params.stretches * cut.stretch;
  const Numbers numbers = numbers_of(form);
  const AttentionLine line = line_of(g);
  out.push_back({first_program + numbers.gather, {args.operands[2], scratches.values},
                 {line.v_size / 4 / line.gather_teams(), static_cast<uint32_t>(gathers_of(g)), static_cast<uint32_t>(key_heads_of(g))}, to_params(params)});
  out.push_back({first_program + numbers.turn, {args.operands[0], scratches.turned}, {line.q_size / 4, params.row_tiles, static_cast<uint32_t>(heads_of(g))}, to_params(params)});
  for (uint64_t head = 0; head < heads_of(g); head += lots.heads)
    for (uint64_t row = 0; row < params.row_tiles; row += lots.rows) {
      params.first_head = static_cast<uint32_t>(head), params.first_row = static_cast<uint32_t>(row);
      const auto heads = static_cast<uint32_t>(std::min(lots.heads, heads_of(g) - head));
      const auto rows = static_cast<uint32_t>(std::min(lots.rows, params.row_tiles - row));
      Lot(g, form, args, scratches, first_program, heads, rows, params, out).push(caps);
    }
}

}  // namespace dbk::gpu
