// `tile`: GPUs, every shape. Variants are sizes of the tile.
#include "plugin/gpu/families/product_kernel.h"
#include "plugin/gpu/families/tile_text.h"
#include "plugin/gpu/families/vendor_table.h"

namespace dbk::gpu {

namespace {

// From small to large: the larger a tile, the more products per load, but the fewer workgroups.
constexpr TileSize kSizes[] = {{32, 32, 16, 4, 4}, {32, 64, 16, 4, 4}, {64, 64, 16, 4, 4}, {128, 64, 16, 8, 4}, {128, 128, 16, 8, 8}};

// What fits the adapter and a weight of n columns.
std::vector<Tile> sizes_of(const Product& p, const Capabilities& caps) {
  std::vector<Tile> sizes;
  for (const TileSize& s : kSizes) {
    const Tile tile{s.rows, s.columns, s.depth, s.thread_rows, s.thread_columns};
    const bool too_wide = p.fixed_nk() && p.n <= tile.columns / 2;
    const bool fits = tile.threads() <= caps.max_group_size && tile.memory() <= caps.max_group_memory;
    if (fits && (sizes.empty() || !too_wide)) sizes.push_back(tile);
  }
  return sizes;
}

bool fits(const Tile& tile, const Product& p) { return (!tile.vectors_of_a || vectors_of_a(p)) && (!tile.vectors_of_b || vectors_of_rows(p)); }

// A size reading vectors where that is possible, and elements where extents may change that.
std::vector<Tile> forms_of(Tile tile, const Product& p) {
  tile.vectors_of_a = !p.trans_a && (vectors_of_a(p) || !p.fixed_nk());
  tile.vectors_of_b = !p.trans_b && (vectors_of_rows(p) || !p.fixed_nk());
  std::vector<Tile> forms{tile};
  if (p.fixed_nk() || (!tile.vectors_of_a && !tile.vectors_of_b)) return forms;
  tile.vectors_of_a = tile.vectors_of_b = false;
  forms.push_back(tile);
  return forms;
}

std::string refuse(const Product& p, const Capabilities& caps) {
  if (std::string why = refuse_sums(p); !why.empty()) return why;
  return sizes_of(p, caps).empty() ? "the adapter's workgroups are too small" : "";
}

std::string name_of(const Tile& t) { return std::format("{}x{}x{}", t.rows, t.columns, t.depth); }

std::vector<std::string> variants(const Product& p, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Tile& tile : sizes_of(p, caps)) names.push_back(name_of(tile));
  return names;
}

// The vendor's three, as far as they are possible; where none is, the smallest.
std::vector<uint32_t> usual(const Product& p, const Capabilities& caps) {
  const std::vector<Tile> sizes = sizes_of(p, caps);
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < sizes.size(); ++i)
    for (const TileSize& wanted : vendor_row(caps).tiles)
      if (wanted.rows == sizes[i].rows && wanted.columns == sizes[i].columns && (list.empty() || list.back() != i)) list.push_back(i);
  return list.empty() ? std::vector<uint32_t>{0} : list;
}

// The largest that leaves a GPU busy, else the smallest.
uint32_t preferred(const Product& p, const Capabilities& caps) {
  const std::vector<Tile> sizes = sizes_of(p, caps);
  const std::vector<uint32_t> list = usual(p, caps);
  const auto groups = [&](const Tile& t) { return static_cast<uint64_t>(p.batch.extent.count()) * ceil_div(p.m, t.rows) * ceil_div(p.n, t.columns); };
  uint32_t best = list[0];
  for (const uint32_t i : list)
    if (groups(sizes[i]) >= vendor_row(caps).busy_groups) best = i;
  return best;
}

uint32_t program_count(const Product& p, const Capabilities& caps, uint32_t variant) {
  return static_cast<uint32_t>(forms_of(sizes_of(p, caps)[variant], p).size());
}

void programs(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Program>& out) {
  for (const Tile& tile : forms_of(sizes_of(p, caps)[variant], p))
    out.push_back({tile_label(tile, p.form()), written_by<tile_text>(tile, p.form()), p.form().reads(), p.form().results});
}

void launch(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Dispatch>& out) {
  const std::vector<Tile> forms = forms_of(sizes_of(p, caps)[variant], p);
  launch_tiles(p, fits(forms[0], p) ? 0 : 1, forms[0].rows, forms[0].columns, caps, out);
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Tile t = sizes_of(p, caps)[variant];
  return std::format("{}, {}x{} each", name_of(t), t.thread_rows, t.thread_columns);
}

GroupTile group_tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Tile t = sizes_of(p, caps)[variant];
  return {t.rows, t.columns};
}

}  // namespace

constinit const ProductKernel kTileKernel{"tile", refuse, nullptr, variants, preferred, usual, program_count, programs, launch, tile, group_tile};

}  // namespace dbk::gpu
