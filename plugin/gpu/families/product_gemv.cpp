// `gemv`: few rows. Variants are shapes of the workgroup; those with "-packed" in the name read a weight as `coop` has it stored, so that
// there is one for a product that has many rows and few by turns.
#include <algorithm>
#include <span>

#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/gemv_text.h"
#include "plugin/gpu/families/product_kernel.h"
#include "plugin/gpu/families/vendor_table.h"

namespace dbk::gpu {

namespace {

// A program for up to so many rows; those that are missing cost arithmetic and reads of A nevertheless.
constexpr int64_t kRows[] = {1, 4, 8}, kMostRows = 8;

// A variant: columns of a workgroup, invocations that share a sum.
struct Group {
  uint32_t across, along;
  bool packed = false;  // B is stored as an operand
  bool operator==(const Group&) const = default;
};
constexpr Group kOfRows[] = {{32, 8}, {64, 4}, {16, 8}, {64, 1}, {32, 2}}, kOfColumns[] = {{4, 64}, {4, 32}, {8, 16}, {4, 16}};

// The vendor's first. Operands lie along k, as a transposed B does.
void add_shapes(bool of_columns, bool packed, const Capabilities& caps, std::vector<Group>& shapes) {
  const VendorRow& vendor = vendor_row(caps);
  const Group first = of_columns ? Group{vendor.gemv_columns.across, vendor.gemv_columns.along, packed}
                                 : Group{vendor.gemv_rows.across, vendor.gemv_rows.along, packed};
  shapes.push_back(first);
  for (Group shape : of_columns ? std::span<const Group>(kOfColumns) : std::span<const Group>(kOfRows)) {
    shape.packed = packed;
    if (shape != first) shapes.push_back(shape);
  }
}

// As long as nobody has decided how B is stored, both ways.
std::vector<Group> shapes_of(const Product& p, const Capabilities& caps) {
  std::vector<Group> shapes;
  if (!as_operand(p)) add_shapes(p.trans_b, /*packed=*/false, caps, shapes);
  if (as_operand(p) || (p.panels.empty() && !operand_storage(p, caps).empty())) add_shapes(/*of_columns=*/true, /*packed=*/true, caps, shapes);
  return shapes;
}

OperandForm stored_form(const Product& p, const Capabilities& caps) { return as_operand(p) ? p.panels[0].operand : operand_storage(p, caps)[0].operand; }

int64_t rows_for(const Product& p) {
  const auto enough = std::ranges::lower_bound(kRows, p.m);
  return enough == std::end(kRows) ? kMostRows : *enough;
}

// B is read once whatever the rows.
std::vector<Gemv> gemvs_of(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Group shape = shapes_of(p, caps)[variant];
  std::vector<Gemv> gemvs;
  for (const int64_t rows : kRows) {
    if (p.fixed && rows != rows_for(p)) continue;
    Gemv g{static_cast<uint32_t>(rows), shape.across, shape.along, p.trans_b || shape.packed};
    if (shape.packed) g.operand = stored_form(p, caps), g.a_vectors = vectors_of_a(p);
    while (g.along > 1 && (g.threads() > caps.max_group_size || g.memory() > caps.max_group_memory)) g.along /= 2;
    gemvs.push_back(g);
  }
  return gemvs;
}

uint32_t chosen(const Product& p) { return p.fixed ? 0 : static_cast<uint32_t>(std::ranges::find(kRows, rows_for(p)) - kRows); }

std::string refuse(const Product& p, const Capabilities&) { return refuse_sums(p); }

std::string refuse_extents(const Product& p, const Capabilities&) {
  return p.m <= kMostRows ? "" : std::format("{} rows are more than {}", p.m, kMostRows);
}

std::vector<std::string> variants(const Product& p, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Group& shape : shapes_of(p, caps)) names.push_back(std::format("{}x{}{}", shape.across, shape.along, shape.packed ? kPacked : ""));
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
  if (gemv.operand == OperandForm::None) return launch_tiles(p, chosen(p), gemv.rows, gemv.across, caps, out);
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    const OperandLayout b(1, p.panels[panel].count, p.k, p.panels[panel].block);
    ProductParams params = params_of(p, p.panels[panel], gemv.rows, gemv.across);
    params.b_column = to_u32(b.padded_depth / 4), params.b_k = to_u32(b.elements() / 4);  // in vectors; the latter is where exponents begin
    out.push_back({chosen(p), arguments_of(p, panel, true), grid_of(params.tiles, caps), to_params(params)});
  }
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Gemv gemv = gemvs_of(p, caps, variant)[chosen(p)];
  const std::string_view packed = gemv.operand == OperandForm::None ? "" : gemv.operand == OperandForm::F32 ? " of B packed as f32" : " of B packed as f16";
  return std::format("{}x{}, {} along k{}", gemv.rows, gemv.across, gemv.along, packed);
}

GroupTile group_tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Gemv gemv = gemvs_of(p, caps, variant)[chosen(p)];
  return {gemv.rows, gemv.across};
}

std::vector<Panel> store(const Product& p, const Capabilities& caps, uint32_t variant) {
  return shapes_of(p, caps)[variant].packed ? operand_storage(p, caps) : std::vector<Panel>{};
}

}  // namespace

constinit const ProductKernel kGemvKernel{"gemv", refuse, refuse_extents, variants, preferred, usual, program_count, programs, launch, tile, group_tile, store, /*reads_operands=*/true};

}  // namespace dbk::gpu
