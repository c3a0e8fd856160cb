// `coop`: adapters with matrices of subgroups; variants are blocks of them. A is packed by a dispatch of its own, B too, panel by
// panel, unless it is a weight, which is packed once.
#include <algorithm>

#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/coop_text.h"
#include "plugin/gpu/families/precision_guard.h"
#include "plugin/gpu/families/product_kernel.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct OperandParams {  // kernels/matmul/operand.wgsl
  uint32_t vectors, padded_vectors, k, padded_k;
  uint32_t vector_step, k_step, total, exponents;
  int32_t top;
  uint32_t pad[3];
  struct {
    uint32_t extent, step, pad[2];
  } batch[kBatchDims];
};
static_assert(sizeof(OperandParams) == 48 + 16 * kBatchDims);

// Matrices of a subgroup and subgroups of a workgroup, besides the vendor's.
struct Blocks {
  uint32_t rows, columns, down, across;
};
constexpr Blocks kBlocks[] = {{2, 2, 1, 1}, {2, 2, 2, 2}, {2, 4, 2, 2}, {4, 2, 2, 2}, {4, 4, 2, 2}};

// Forms from the best that precision and guard allow on; `forced` allows what rounds operands, but not sums.
std::vector<OperandForm> forms(const Product& p, const Capabilities& caps) {
  const bool forced = caps.controls.matmul_family == "coop" || caps.controls.matmul_variant.find(kPacked) != std::string::npos;
  const bool operands = !p.verdict || p.verdict->operands, sums = !p.verdict || p.verdict->sums;
  std::vector<OperandForm> list;
  if (sums && p.precision == Precision::F16 && p.k <= 65504) list.push_back(OperandForm::F16Sums);  // sums of numbers under 1
  if (operands && (p.dtype == DBK_F16 || p.precision != Precision::F32)) list.push_back(OperandForm::F16);
  if (p.dtype == DBK_F32) list.push_back(OperandForm::F32);
  if (operands && forced) list.push_back(OperandForm::F16);
  return list;
}

// The matrices of the adapter for the best form that it has; m is 0 where there are none.
Coop matrices_of(const Product& p, const Capabilities& caps) {
  for (const OperandForm form : forms(p, caps))
    for (const MatrixConfig& c : caps.matrices) {
      if (form_of(c) != form || !caps.controls.coop_takes(c.component)) continue;
      const Coop least{c.m, c.n, c.k, form, 1, 1, 1, 1, caps.subgroup_max};
      if (least.threads() <= caps.max_group_size && least.memory() <= caps.max_group_memory) return least;
    }
  return {};
}

std::string name_of(const Coop& c) { return std::format("{}x{}-{}x{}", c.rows, c.columns, c.down, c.across); }

// The vendor's blocks first. A weight that is stored is filled up for some of them.
std::vector<Coop> coops_of(const Product& p, const Capabilities& caps) {
  std::vector<Coop> coops;
  const Coop matrices = matrices_of(p, caps);
  const auto add = [&](const Coop& coop) {
    const auto same = [&](const Coop& other) { return name_of(other) == name_of(coop); };
    const bool readable = !as_operand(p) || p.panels[0].block % coop.tile_columns() == 0;
    if (readable && std::ranges::none_of(coops, same)) coops.push_back(coop);
  };
  if (matrices.m == 0) return coops;
  add(vendor_coop(matrices, caps));
  for (const Blocks& b : kBlocks) add(fitted({matrices.m, matrices.n, matrices.k, matrices.form, b.rows, b.columns, b.down, b.across, matrices.lanes}, caps));
  return coops;
}

OperandLayout layout_of_a(const Product& p, const Coop& coop) { return {p.batch.extent.count(), p.m, p.k, coop.tile_rows()}; }
OperandLayout layout_of_b(const Product& p, int64_t columns, const Coop& coop) {
  if (as_operand(p)) return {1, columns, p.k, p.panels[0].block};  // of more columns than the tile, perhaps
  return {p.batch.extent.count(), columns, p.k, coop.tile_columns()};
}

// What one dispatch reads of B at most; of a weight whose panels are still to be made, a tile.
int64_t most_columns(const Product& p, const Coop& coop) {
  int64_t most = 0;
  for (const Panel& panel : p.panels) most = std::max(most, panel.count);
  return most > 0 ? most : p.b_fixed && p.b_matrix ? coop.tile_columns() : p.n;
}

std::string refuse_bytes(const OperandLayout& layout, OperandForm form, const Capabilities& caps) {
  if (layout.bytes(form) <= caps.max_binding) return {};
  return std::format("a packed operand takes {} bytes, a binding holds {}", layout.bytes(form), caps.max_binding);
}

// Asked of the largest tiles, which fill up most.
std::string refuse_extents(const Product& p, const Capabilities& caps) {
  if (std::string why = caps.controls.refuse_coop_columns(p.n); !why.empty()) return why;
  const std::vector<Coop> coops = coops_of(p, caps);
  Coop coop = coops[0];
  for (const Coop& other : coops) {
    coop.rows = std::max(coop.rows, other.rows), coop.down = std::max(coop.down, other.down);
    coop.columns = std::max(coop.columns, other.columns), coop.across = std::max(coop.across, other.across);
  }
  if (std::string why = refuse_bytes(layout_of_a(p, coop), coop.form, caps); !why.empty()) return why;
  return refuse_bytes(layout_of_b(p, most_columns(p, coop), coop), coop.form, caps);
}

std::string refuse(const Product& p, const Capabilities& caps) {
  if (std::string why = refuse_sums(p); !why.empty()) return why;
  if (caps.controls.coop == "0") return "option coop=0";
  if (std::string why = p.fixed_nk() ? caps.controls.refuse_coop_columns(p.n) : ""; !why.empty()) return why;
  if (!caps.subgroups || caps.matrices.empty()) return "the adapter has no matrices of subgroups";
  if (p.dtype == DBK_F32 && !caps.f16 && matrices_of(p, caps).form != OperandForm::F32) return "the adapter has no f16 arithmetic";
  if (matrices_of(p, caps).m > 0) return {};
  if (p.verdict && !p.verdict->operands) return p.verdict->told;
  if (p.dtype == DBK_F32 && p.precision == Precision::F32 && caps.controls.coop_takes("f16")) return "option precision=f32 forbids to round operands to f16";
  if (caps.controls.coop != "1") return std::format("option coop={}, and the adapter has no such matrices for {}", caps.controls.coop, to_string(p.dtype));
  return "no configuration of the adapter fits";
}

uint32_t along_a(const Product& p) { return p.trans_a ? 1 : kGroupSize; }
uint32_t along_b(const Product& p) { return p.trans_b ? kGroupSize : 1; }

std::vector<std::string> variants(const Product& p, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Coop& coop : coops_of(p, caps)) names.push_back(name_of(coop));
  return names;
}

uint32_t preferred(const Product&, const Capabilities&) { return 0; }
std::vector<uint32_t> usual(const Product&, const Capabilities&) { return {0}; }

uint32_t program_count(const Product& p, const Capabilities&, uint32_t) { return as_operand(p) ? 2 : 3; }

// Packing A, packing B, the product.
void programs(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Program>& out) {
  const Coop coop = coops_of(p, caps)[variant];
  const auto pack = [&](uint32_t along) {
    out.push_back({operand_label(p.dtype, coop.form, along), written_by<operand_text>(p.dtype, coop.form, along), 1, 1});
  };
  pack(along_a(p));
  if (!as_operand(p)) pack(along_b(p));
  out.push_back({coop_label(coop, p.form()), written_by<coop_text>(coop, p.form()), p.form().reads(), p.form().results, /*on_matrices=*/true});
}

// `from` has strides of what is bound.
Dispatch pack(uint32_t program, const Argument& operand, const OperandLayout& layout, OperandForm form, const ProductParams& from, uint32_t along,
              const Capabilities& caps) {
  const bool of_a = operand.index == 0;
  OperandParams params{};
  params.vectors = to_u32(layout.vectors), params.padded_vectors = to_u32(layout.padded_vectors);
  params.k = to_u32(layout.depth), params.padded_k = to_u32(layout.padded_depth);
  params.vector_step = of_a ? from.a_row : from.b_column, params.k_step = of_a ? from.a_k : from.b_k;
  params.total = to_u32(layout.matrices * layout.padded_vectors), params.exponents = to_u32(layout.elements());
  params.top = operand_top(form);
  for (uint32_t d = 0; d < kBatchDims; ++d) params.batch[d] = {from.batch[d].extent, of_a ? from.batch[d].a : from.batch[d].b, {}};
  return {program, {operand, scratch(operand.index, layout.bytes(form))}, grid_of(ceil_div(params.total, kGroupSize / along), caps),
          to_params(params)};
}

void launch(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Dispatch>& out) {
  const Coop coop = coops_of(p, caps)[variant];
  const OperandLayout a = layout_of_a(p, coop);
  const auto params_for = [&](uint32_t panel) { return params_of(p, p.panels[panel], coop.tile_rows(), coop.tile_columns()); };
  out.push_back(pack(0, input(0), a, coop.form, params_for(0), along_a(p), caps));
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    const OperandLayout b = layout_of_b(p, p.panels[panel].count, coop);
    ProductParams params = params_for(panel);
    std::vector<Argument> args = arguments_of(p, panel, true);
    if (!as_operand(p)) out.push_back(pack(1, args[1], b, coop.form, params, along_b(p), caps));
    params.k = params.a_row = params.b_column = to_u32(a.padded_depth);
    params.a_k = to_u32(a.elements()), params.b_k = to_u32(b.elements());  // where exponents begin
    for (ProductBatch& batch : params.batch) batch = {1, 0, 0, 0};
    params.batch[0] = {to_u32(a.matrices), to_u32(a.padded_vectors * a.padded_depth), to_u32(as_operand(p) ? 0 : b.padded_vectors * b.padded_depth), 0};
    args[0] = scratch(0, a.bytes(coop.form));
    if (!as_operand(p)) args[1] = scratch(1, b.bytes(coop.form));
    out.push_back({program_count(p, caps, variant) - 1, std::move(args), grid_of(params.tiles, caps), to_params(params)});
  }
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Coop coop = coops_of(p, caps)[variant];
  constexpr std::string_view kNames[] = {"", "f16 to f32", "f16 to f16", "f32"};
  return std::format("{}x{} of matrices {}x{}x{}, {}", coop.tile_rows(), coop.tile_columns(), coop.m, coop.n, coop.k,
                     kNames[static_cast<size_t>(coop.form)]);
}

GroupTile group_tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Coop coop = coops_of(p, caps)[variant];
  return {coop.tile_rows(), coop.tile_columns()};
}

// Of more than a few rows no other kernel reads what is stored here, so nearly every A must fit a binding when it is packed.
std::vector<Panel> store(const Product& p, const Capabilities& caps, uint32_t variant) {
  constexpr int64_t kLeastDepth = 64;  // below, A grows by more than half
  const Coop coop = coops_of(p, caps)[variant];
  const OperandLayout tile_of_b(1, coop.tile_columns(), p.k, coop.tile_columns()), least_a(1, 1, p.k, coop.tile_rows());
  if (!p.b_matrix || p.k < kLeastDepth || least_a.bytes(coop.form) > caps.max_binding / 8) return {};
  const int64_t most = static_cast<int64_t>(caps.max_binding / tile_of_b.bytes(coop.form)) * coop.tile_columns();
  return cut_columns(p.n, coop.tile_columns(), most, {0, 0, coop.tile_columns(), p.trans_b, coop.form});
}

}  // namespace

OperandForm coop_form(const Product& p, const Capabilities& caps) {
  return refuse(p, caps).empty() && caps.controls.refuse_coop_columns(p.n).empty() ? matrices_of(p, caps).form : OperandForm::None;
}

std::vector<Panel> operand_storage(const Product& p, const Capabilities& caps) {
  return p.b_fixed && coop_form(p, caps) != OperandForm::None ? store(p, caps, preferred(p, caps)) : std::vector<Panel>{};
}

OperandForm rounding_form(const Product& p, const Capabilities& caps) {
  const OperandForm form = coop_form(p, caps);
  return form == OperandForm::F16Sums || (form == OperandForm::F16 && p.dtype != DBK_F16) ? form : OperandForm::None;
}

constinit const ProductKernel kCoopKernel{"coop", refuse, refuse_extents, variants, preferred, usual, program_count, programs, launch, tile, group_tile, store};

}  // namespace dbk::gpu
