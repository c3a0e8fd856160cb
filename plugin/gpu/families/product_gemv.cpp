// `gemv`: few rows.
#include <algorithm>

#include "plugin/gpu/families/gemv_text.h"
#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

namespace {

constexpr int64_t kMostRows = 8;

// For one row and for more: B is read once either way.
std::vector<Gemv> gemvs_of(const Product& p, const Capabilities& caps) {
  std::vector<Gemv> gemvs{{1, 32, 8, false}, {kMostRows, 32, 8, false}};
  for (Gemv& g : gemvs) {
    if (p.trans_b) g.across = 4, g.along = 64, g.k_first = true;
    while (g.along > 1 && (g.threads() > caps.max_group_size || g.memory() > caps.max_group_memory)) g.along /= 2;
  }
  return gemvs;
}

uint32_t chosen(const Product& p) { return p.m == 1 ? 0 : 1; }

std::string refuse(const Product& p, const Capabilities&) { return refuse_sums(p); }

std::string refuse_extents(const Product& p, const Capabilities&) {
  return p.m <= kMostRows ? "" : std::format("{} rows are more than {}", p.m, kMostRows);
}

uint32_t program_count(const Product& p, const Capabilities& caps) { return static_cast<uint32_t>(gemvs_of(p, caps).size()); }

void programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) {
  for (const Gemv& gemv : gemvs_of(p, caps)) out.push_back({gemv_label(gemv, p.form()), gemv_text(gemv, p.form()), p.form().reads(), 1});
}

void launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Gemv gemv = gemvs_of(p, caps)[chosen(p)];
  launch_tiles(p, chosen(p), gemv.rows, gemv.across, caps, out);
}

std::string tile(const Product& p, const Capabilities& caps) {
  const Gemv gemv = gemvs_of(p, caps)[chosen(p)];
  return std::format("{}x{}, {} along k", gemv.rows, gemv.across, gemv.along);
}

}  // namespace

constinit const ProductKernel kGemvKernel{"gemv", refuse, refuse_extents, program_count, programs, launch, tile};

}  // namespace dbk::gpu
