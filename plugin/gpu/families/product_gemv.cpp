// `gemv`: few rows. Variants are shapes of the workgroup.
#include <span>

#include "plugin/gpu/families/gemv_text.h"
#include "plugin/gpu/families/product_kernel.h"
#include "plugin/gpu/families/vendor_table.h"

namespace dbk::gpu {

namespace {

constexpr int64_t kMostRows = 8;

// A variant: columns of a workgroup, invocations that share a sum.
struct Group {
  uint32_t across, along;
  bool operator==(const Group&) const = default;
};
constexpr Group kOfRows[] = {{32, 8}, {64, 4}, {16, 8}, {64, 1}, {32, 2}}, kOfColumns[] = {{4, 64}, {4, 32}, {8, 16}, {4, 16}};

// The vendor's first.
std::vector<Group> shapes_of(const Product& p, const Capabilities& caps) {
  const VendorRow& vendor = vendor_row(caps);
  const Group first = p.trans_b ? Group{vendor.gemv_columns.across, vendor.gemv_columns.along} : Group{vendor.gemv_rows.across, vendor.gemv_rows.along};
  std::vector<Group> shapes{first};
  for (const Group& shape : p.trans_b ? std::span<const Group>(kOfColumns) : std::span<const Group>(kOfRows))
    if (shape != first) shapes.push_back(shape);
  return shapes;
}

// For one row and for more: B is read once either way.
std::vector<Gemv> gemvs_of(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Group shape = shapes_of(p, caps)[variant];
  std::vector<Gemv> gemvs;
  for (const int64_t rows : {int64_t{1}, kMostRows}) {
    if (p.fixed && (p.m > 1) != (rows > 1)) continue;
    Gemv g{static_cast<uint32_t>(rows), shape.across, shape.along, p.trans_b};
    while (g.along > 1 && (g.threads() > caps.max_group_size || g.memory() > caps.max_group_memory)) g.along /= 2;
    gemvs.push_back(g);
  }
  return gemvs;
}

uint32_t chosen(const Product& p) { return p.m <= 1 || p.fixed ? 0 : 1; }

std::string refuse(const Product& p, const Capabilities&) { return refuse_sums(p); }

std::string refuse_extents(const Product& p, const Capabilities&) {
  return p.m <= kMostRows ? "" : std::format("{} rows are more than {}", p.m, kMostRows);
}

std::vector<std::string> variants(const Product& p, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Group& shape : shapes_of(p, caps)) names.push_back(std::format("{}x{}", shape.across, shape.along));
  return names;
}

uint32_t preferred(const Product&, const Capabilities&) { return 0; }
std::vector<uint32_t> usual(const Product&, const Capabilities&) { return {0}; }

uint32_t program_count(const Product& p, const Capabilities& caps, uint32_t variant) {
  return static_cast<uint32_t>(gemvs_of(p, caps, variant).size());
}

void programs(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Program>& out) {
  for (const Gemv& gemv : gemvs_of(p, caps, variant)) out.push_back({gemv_label(gemv, p.form()), written_by<gemv_text>(gemv, p.form()), p.form().reads(), p.form().results});
}

void launch(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Dispatch>& out) {
  const Gemv gemv = gemvs_of(p, caps, variant)[chosen(p)];
  launch_tiles(p, chosen(p), gemv.rows, gemv.across, caps, out);
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Gemv gemv = gemvs_of(p, caps, variant)[chosen(p)];
  return std::format("{}x{}, {} along k", gemv.rows, gemv.across, gemv.along);
}

GroupTile group_tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Gemv gemv = gemvs_of(p, caps, variant)[chosen(p)];
  return {gemv.rows, gemv.across};
}

}  // namespace

constinit const ProductKernel kGemvKernel{"gemv", refuse, refuse_extents, variants, preferred, usual, program_count, programs, launch, tile, group_tile};

}  // namespace dbk::gpu
