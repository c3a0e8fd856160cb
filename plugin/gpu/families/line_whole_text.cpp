// All of k in one dispatch: subgroups leave the sums of their parts in workgroup memory, then each adds up its share of the tile.
#include <algorithm>

#include "plugin/gpu/families/line_pieces.h"

namespace dbk::gpu {

namespace {

uint32_t units_of(const Line& t) { return t.rows * kLineHalves; }  // of kLineLanes sums, in a tile
uint32_t tiles_of(const Line& t) { return t.teams / t.parts; }

void write_part(std::string& s, const Line& t, DType dtype) {
  add_line(s, "  let part = team / {0}u;\n  let near = team - part * {0}u;", tiles_of(t));
  add_line(s, "  let tile = flat_group(group, groups) * {}u + near;", tiles_of(t));
  add_line(s, "  let place = place_in_one(min(tile, p.tiles - 1u));");
  add_line(s, "  let row = place.row * {}u;\n  let column = place.column * {}u;", t.rows, kLineColumns);
  add_line(s, "  let k_start = part * {}u;", t.depth);
  write_b_place(s, t, "k_start");
  for (uint32_t i = 0; i < t.rows; ++i) write_a_place(s, t, i, std::format("min(row + {}u, p.m - 1u)", i), "k_start");
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j) add_line(s, "  var c{}_{} = 0.0;", i, j);
  write_products(s, t, dtype);
  write_cut(s, t);
  add_line(s, "  let sums_at = (near * {}u + part) * {}u + lane;", t.parts, units_of(t) * kLineLanes);
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j)
      add_line(s, "  sums[sums_at + {}u] = c{}_{};", (i * kLineHalves + j) * kLineLanes, i, j);
}

void write_epilogue(std::string& s, const ProductForm& form, uint32_t x) {
  using Place = EpilogueOperand::Place;
  std::string arguments = std::format("v{}", x);
  for (size_t e = 0; e < form.epilogue.operands.size(); ++e) {
    const Place place = form.epilogue.operands[e].place;
    const DType dtype = form.epilogue.operands[e].dtype;
    const std::string array = std::format("e{}", e), at = place == Place::Column ? std::format("{}_at{}", array, x) : std::format("c{}_at", x);
    if (place == Place::Column) add_line(s, "  let {} = unaligned((p.c_start + column{}) / 4u);", at, x);
    arguments += ", " + (place == Place::Single ? single(dtype, array) : picked(dtype, array, at, 0));
  }
  add_line(s, "  v{} = value({});", x, arguments);
}

// Unit x of this subgroup's share of the tile: the sums of all parts, alpha, D, the epilogue.
void write_unit(std::string& s, const Line& t, const ProductForm& form, uint32_t x, uint32_t share) {
  const uint32_t part = units_of(t) * kLineLanes;
  add_line(s, "  let unit{0} = min(part * {1}u + {0}u, {2}u);", x, share, units_of(t) - 1);
  add_line(s, "  let row{0} = row + unit{0} / {1}u;\n  let column{0} = column + unit{0} % {1}u * {2}u;", x, kLineHalves, kLineLanes);
  add_line(s, "  let in_row{0} = min(row{0}, p.m - 1u);", x);
  add_line(s, "  let from{0} = near * {1}u + unit{0} * {2}u + lane;", x, t.parts * part, kLineLanes);
  add_line(s, "  var v{0} = sums[from{0}];", x);
  for (uint32_t k = 1; k < t.parts; ++k) add_line(s, "  v{0} += sums[from{0} + {1}u];", x, k * part);
  if (form.scaled) add_line(s, "  v{} *= p.alpha;", x);
  add_line(s, "  let c{0}_at = unaligned((place.c + in_row{0} * p.c_row + column{0}) / 4u);", x);
  if (form.has_d) {
    add_line(s, "  let d{0}_at = unaligned((in_row{0} * p.d_row + p.c_start + column{0}) / 4u);", x);
    add_line(s, "  v{0} = fma(p.beta, {1}, v{0});", x, picked(form.dtype, "d", std::format("d{}_at", x), 0));
  }
  if (form.epilogue) write_epilogue(s, form, x);
}

void write_store(std::string& s, const Line& t, const ProductForm& form, uint32_t x, uint32_t share) {
  for (uint32_t h = 0; h < 2; ++h) add_line(s, "  let v{0}_{1} = {2};", x, h, stored_lanes(form.stored(), std::format("v{}", x), h));
  add_line(s, "  if (tile < p.tiles && part * {1}u + {0}u < {2}u && row{0} < p.m) {{", x, share, units_of(t));
  for (uint32_t h = 0; h < 2; ++h) {
    if (form.results > 1) add_line(s, "    store(place.top + row{0}, p.c_start + column{0} + {2}u, v{0}_{1});", x, h, 4 * h);
    else add_line(s, "    c[c{0}_at + {1}u] = v{0}_{1};", x, h);
  }
  add_line(s, "  }}");
}

}  // namespace

uint32_t sums_of_group(const Line& t) { return t.teams * units_of(t) * kLineLanes; }

void write_whole(std::string& s, const Line& t, const ProductForm& form) {
  write_part(s, t, form.dtype);
  add_line(s, "  workgroupBarrier();");
  const uint32_t share = (units_of(t) + t.parts - 1) / t.parts;
  for (uint32_t x = 0; x < share; ++x) write_unit(s, t, form, x, share);
  for (uint32_t x = 0; x < share; ++x) write_store(s, t, form, x, share);
}

// Several tiles in a workgroup share what making one costs.
Line whole_line(uint32_t rows, int64_t k, const Capabilities& caps, uint32_t most_depth) {
  constexpr int64_t kLeastDepth = 32, kTeams = 48, kMostTiles = 8;
  int64_t depth = std::min<int64_t>(k, most_depth) / 4 * 4;
  while (depth > 4 && k % depth != 0) depth -= 4;
  const int64_t parts = depth > 0 ? k / depth : 0;
  const int64_t teams = std::min(caps.max_group_size / kLineLanes, caps.max_group_memory / (rows * kLineColumns * 4));
  if (depth < std::min(k, kLeastDepth) || depth * parts != k || parts > teams) return {};
  const int64_t tiles = std::clamp<int64_t>(std::min(kTeams, teams) / parts, 1, kMostTiles);
  return {rows, static_cast<uint32_t>(depth), static_cast<uint32_t>(parts * tiles), Line::B::Blocks, false, static_cast<uint32_t>(parts)};
}

}  // namespace dbk::gpu
