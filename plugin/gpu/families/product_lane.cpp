// `lane`: every adapter, every shape. Variants are register tiles.
#include <algorithm>

#include "plugin/gpu/families/lane_text.h"
#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

namespace {

bool fits(const Lane& lane, const Product& p) {
  switch (lane.access) {
    case Lane::Access::RowsColumns:
      return vectors_of_a(p) && vectors_of_columns(p);
    case Lane::Access::RowsRows:
      return vectors_of_a(p);
    case Lane::Access::Elements:
      return true;
  }
  return false;
}

// Best first; the last one always fits.
std::vector<Lane> forms_of(const Product& p, const Capabilities& caps, uint32_t variant) {
  std::vector<Lane> lanes;
  const auto lane_for = [&](Lane::Access access) { return lane_sizes(access, caps)[variant]; };
  const Lane vectors = lane_for(p.trans_b ? Lane::Access::RowsColumns : Lane::Access::RowsRows);
  if (!p.trans_a && (fits(vectors, p) || !p.fixed_nk())) lanes.push_back(vectors);
  if (lanes.empty() || !p.fixed_nk()) lanes.push_back(lane_for(Lane::Access::Elements));
  return lanes;
}

uint32_t chosen(const std::vector<Lane>& lanes, const Product& p) {
  uint32_t i = 0;
  while (!fits(lanes[i], p)) ++i;
  return i;
}

std::string name_of(const Lane& lane) { return std::format("{}x{}", lane.rows, lane.lanes * lane.columns); }

std::string refuse(const Product& p, const Capabilities&) { return refuse_sums(p); }

std::vector<std::string> variants(const Product&, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Lane& lane : lane_sizes(Lane::Access::Elements, caps)) names.push_back(name_of(lane));
  return names;
}

// For rows that never change, on CPU adapters. llvmpipe, 2 cores, milliseconds with tiles of 2x32, 4x16, 6x16 and 9x24, four products at once: of
// k x n = 997 x 1031, where elements are read one at a time, one row takes 1.9, 4.1, 6.2 and 7.5, four 8.3, 7.1, 9.3 and 12.5, 13 rows 15.9, 13.4,
// 15.2 and 14.2; 509 rows of 251 x 521 47, 41, 35 and 23. With vectors of A one row of 1000 x 1031 takes 4.4, 3.8, 5.6 and 9.2; 509 rows of
// 256 x 521 33, 27, 23 and 18.
uint32_t for_rows(const Product& p, const Capabilities& caps) {
  const bool elements = forms_of(p, caps, 0)[0].access == Lane::Access::Elements;
  const uint32_t rows = elements && p.m <= 2 ? 2 : p.m <= 13 ? 4 : 9;
  const std::vector<Lane> sizes = lane_sizes(Lane::Access::Elements, caps);
  return static_cast<uint32_t>(std::ranges::find(sizes, rows, &Lane::rows) - sizes.begin());
}

uint32_t preferred(const Product& p, const Capabilities& caps) { return caps.cpu_adapter && p.fixed ? for_rows(p, caps) : 0; }
std::vector<uint32_t> usual(const Product&, const Capabilities&) { return {0}; }

uint32_t program_count(const Product& p, const Capabilities& caps, uint32_t variant) {
  return static_cast<uint32_t>(forms_of(p, caps, variant).size());
}

void programs(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Program>& out) {
  for (const Lane& lane : forms_of(p, caps, variant)) out.push_back({lane_label(lane, p.form()), written_by<lane_text>(lane, p.form()), p.form().reads(), p.form().results});
}

void launch(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Dispatch>& out) {
  const std::vector<Lane> lanes = forms_of(p, caps, variant);
  const uint32_t i = chosen(lanes, p);
  launch_tiles(p, i, lanes[i].rows, int64_t{lanes[i].lanes} * lanes[i].columns, caps, out);
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) { return name_of(forms_of(p, caps, variant)[0]); }

GroupTile group_tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Lane lane = forms_of(p, caps, variant)[0];  // all forms are of one size
  return {lane.rows, int64_t{lane.lanes} * lane.columns};
}

}  // namespace

constinit const ProductKernel kLaneKernel{"lane", refuse, nullptr, variants, preferred, usual, program_count, programs, launch, tile, group_tile};

}  // namespace dbk::gpu
