// `lane`: every adapter, every shape.
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
std::vector<Lane> lanes_of(const Product& p, const Capabilities& caps) {
  std::vector<Lane> lanes;
  const Lane vectors = lane_for(p.trans_b ? Lane::Access::RowsColumns : Lane::Access::RowsRows, caps);
  if (!p.trans_a && (fits(vectors, p) || !p.b_fixed)) lanes.push_back(vectors);
  lanes.push_back(lane_for(Lane::Access::Elements, caps));
  return lanes;
}

uint32_t chosen(const std::vector<Lane>& lanes, const Product& p) {
  uint32_t i = 0;
  while (!fits(lanes[i], p)) ++i;
  return i;
}

std::string refuse(const Product& p, const Capabilities&) { return refuse_sums(p); }

uint32_t program_count(const Product& p, const Capabilities& caps) { return static_cast<uint32_t>(lanes_of(p, caps).size()); }

void programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) {
  for (const Lane& lane : lanes_of(p, caps)) out.push_back({lane_label(lane, p.form()), lane_text(lane, p.form()), p.form().reads(), 1});
}

void launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  const std::vector<Lane> lanes = lanes_of(p, caps);
  const uint32_t i = chosen(lanes, p);
  launch_tiles(p, i, lanes[i].rows, int64_t{lanes[i].lanes} * lanes[i].columns, caps, out);
}

std::string tile(const Product& p, const Capabilities& caps) {
  const std::vector<Lane> lanes = lanes_of(p, caps);
  const Lane& lane = lanes[chosen(lanes, p)];
  return std::format("{}x{}", lane.rows, lane.lanes * lane.columns);
}

}  // namespace

constinit const ProductKernel kLaneKernel{"lane", refuse, nullptr, program_count, programs, launch, tile};

}  // namespace dbk::gpu
