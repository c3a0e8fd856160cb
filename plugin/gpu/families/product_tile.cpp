// `tile`: GPUs, every shape.
#include "plugin/gpu/families/product_kernel.h"
#include "plugin/gpu/families/tile_text.h"

namespace dbk::gpu {

namespace {

// Small, middle, large. The larger a tile, the more products per load, but the fewer workgroups.
constexpr Tile kTiles[] = {{32, 32, 16, 4, 4}, {64, 64, 16, 4, 4}, {128, 64, 16, 8, 4}};
constexpr uint64_t kBusyGroups = 256;  // workgroups that keep a GPU busy, whose cores WebGPU does not count

// What fits the adapter and a weight of n columns, from small to large.
std::vector<Tile> sizes_of(const Product& p, const Capabilities& caps) {
  std::vector<Tile> sizes;
  for (const Tile& tile : kTiles) {
    const bool too_wide = p.b_fixed && p.n <= tile.columns / 2;
    const bool fits = tile.threads() <= caps.max_group_size && tile.memory() <= caps.max_group_memory;
    if (fits && (sizes.empty() || !too_wide)) sizes.push_back(tile);
  }
  return sizes;
}

bool fits(const Tile& tile, const Product& p) { return (!tile.vectors_of_a || vectors_of_a(p)) && (!tile.vectors_of_b || vectors_of_rows(p)); }

// Every size, reading vectors where that is possible, and elements where extents may change that.
std::vector<Tile> tiles_of(const Product& p, const Capabilities& caps) {
  std::vector<Tile> tiles;
  for (Tile tile : sizes_of(p, caps)) {
    tile.vectors_of_a = !p.trans_a && (vectors_of_a(p) || !p.b_fixed);
    tile.vectors_of_b = !p.trans_b && (vectors_of_rows(p) || !p.b_fixed);
    tiles.push_back(tile);
    if (p.b_fixed || (!tile.vectors_of_a && !tile.vectors_of_b)) continue;
    tile.vectors_of_a = tile.vectors_of_b = false;
    tiles.push_back(tile);
  }
  return tiles;
}

// The largest that leaves a GPU busy, else the smallest.
uint32_t chosen(const std::vector<Tile>& tiles, const Product& p) {
  const auto groups = [&](const Tile& t) { return static_cast<uint64_t>(p.batch.extent.count()) * ceil_div(p.m, t.rows) * ceil_div(p.n, t.columns); };
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < tiles.size(); ++i) {
    if (!fits(tiles[i], p)) continue;
    const bool same_size = best != UINT32_MAX && tiles[best].rows == tiles[i].rows;
    if (best == UINT32_MAX || (!same_size && groups(tiles[i]) >= kBusyGroups)) best = i;
  }
  return best;
}

std::string refuse(const Product& p, const Capabilities& caps) {
  if (std::string why = refuse_sums(p); !why.empty()) return why;
  return sizes_of(p, caps).empty() ? "the adapter's workgroups are too small" : "";
}

uint32_t program_count(const Product& p, const Capabilities& caps) { return static_cast<uint32_t>(tiles_of(p, caps).size()); }

void programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) {
  for (const Tile& tile : tiles_of(p, caps)) out.push_back({tile_label(tile, p.form()), tile_text(tile, p.form()), p.form().reads(), 1});
}

void launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  const std::vector<Tile> tiles = tiles_of(p, caps);
  const uint32_t i = chosen(tiles, p);
  launch_tiles(p, i, tiles[i].rows, tiles[i].columns, caps, out);
}

std::string tile(const Product& p, const Capabilities& caps) {
  const std::vector<Tile> tiles = tiles_of(p, caps);
  const Tile& t = tiles[chosen(tiles, p)];
  return std::format("{}x{}x{}, {}x{} each", t.rows, t.columns, t.depth, t.thread_rows, t.thread_columns);
}

}  // namespace

constinit const ProductKernel kTileKernel{"tile", refuse, nullptr, program_count, programs, launch, tile};

}  // namespace dbk::gpu
