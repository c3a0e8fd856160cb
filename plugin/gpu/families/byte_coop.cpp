#include "plugin/gpu/families/byte_coop.h"

#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kDims = 4;  // of a batch

struct OperandParams {  // kernels/integer_matmul/operand.wgsl
  uint32_t vectors, padded_vectors, k, padded_words;
  uint32_t vector_step, k_step, total, sums;
  struct {
    uint32_t extent, step, pad[2];
  } batch[kDims];
};
static_assert(sizeof(OperandParams) == 32 + 16 * kDims);

struct ProductParams {  // kernels/integer_matmul/coop.wgsl
  uint32_t m, n, k, tiles;
  uint32_t row_tiles, column_tiles, a_row, b_column;
  uint32_t a_k, b_k, a_matrix, b_matrix;
  uint32_t a_zero_row, b_zero_column, depth, c_row;
  uint32_t c_start, pad[3];
  struct {
    uint32_t extent, a_zero, b_zero, pad;
  } batch[kDims];
};
static_assert(sizeof(ProductParams) == 80 + 16 * kDims);

// The form in which fewer bytes have to change, first.
std::array<OperandForm, 2> forms(const ByteForm& form) {
  const bool prefer_unsigned = form.a == DBK_U8 && form.b == DBK_U8;
  return {prefer_unsigned ? OperandForm::U8 : OperandForm::I8, prefer_unsigned ? OperandForm::I8 : OperandForm::U8};
}

// m is 0 where there is none.
Coop coop_of(const ByteForm& form, const Capabilities& caps) {
  for (const OperandForm wanted : forms(form))
    for (const MatrixConfig& c : caps.matrices) {
      if (form_of(c) != wanted) continue;
      const Coop coop = vendor_coop({c.m, c.n, c.k, wanted, 1, 1, 1, 1, caps.subgroup_max}, caps);
      if (coop.threads() <= caps.max_group_size && coop.memory() <= caps.max_group_memory) return coop;
    }
  return {};
}

// A batch over one B whose zero point of A is one number is one tall product.
struct Rows {
  int64_t matrices, m;
};
Rows rows_of(const ByteProduct& p) {
  const auto still = [](const Shape& strides) { return std::ranges::all_of(strides, [](int64_t s) { return s == 0; }); };
  const bool tall = p.layout.batch_b.count() == 1 && p.a_zero_row == 0 && still(p.batch.strides[2]) && still(p.batch.strides[3]) &&
                    p.layout.batch_a.count() == p.layout.batch.count();
  const int64_t batch = p.layout.batch.count();
  return tall ? Rows{1, p.layout.m * batch} : Rows{batch, p.layout.m};
}

OperandLayout layout_of_a(const ByteProduct& p, const Coop& coop) {
  const Rows rows = rows_of(p);
  return {rows.matrices, rows.m, p.layout.k, coop.tile_rows()};
}
OperandLayout layout_of_b(const ByteProduct& p, int64_t columns, const Coop& coop) {
  const bool one = p.stored() || p.layout.batch_b.count() == 1;
  return {one ? 1 : p.layout.batch.count(), columns, p.layout.k, coop.tile_columns()};
}

// Columns of B that dispatches read.
std::vector<Panel> panels_of_b(const ByteProduct& p) { return p.panels.empty() ? std::vector<Panel>{{0, p.layout.n}} : p.panels; }

uint32_t words_of(int64_t bytes) { return to_u32(bytes / 4); }
constexpr uint32_t kAlongA = kGroupSize, kAlongB = 1;  // invocations that share a vector: rows of A are dense, columns of B lie side by side

Dispatch pack(uint32_t program, uint32_t operand, const Argument& from, const OperandLayout& layout, const ByteProduct& p, OperandForm form,
              const Capabilities& caps) {
  OperandParams params{};
  params.vectors = to_u32(layout.vectors), params.padded_vectors = to_u32(layout.padded_vectors);
  params.k = to_u32(layout.depth), params.padded_words = words_of(layout.padded_depth);
  params.vector_step = operand == 0 ? params.k : 1, params.k_step = operand == 0 ? 1 : to_u32(p.layout.n);
  params.total = to_u32(layout.matrices * layout.padded_vectors), params.sums = words_of(layout.elements());
  for (auto& b : params.batch) b = {1, 0, {}};
  const uint32_t rank = layout.matrices == 1 ? 0 : p.batch.extent.rank();
  for (uint32_t d = 0; d < rank; ++d)
    params.batch[d] = {to_u32(p.batch.extent[rank - 1 - d]), to_u32(p.batch.strides[operand][rank - 1 - d]), {}};
  const uint32_t along = operand == 0 ? kAlongA : kAlongB;
  return {program, {from, scratch(operand, layout.bytes(form))}, grid_of(ceil_div(params.total, kGroupSize / along), caps), to_params(params)};
}

ProductParams params_of(const ByteProduct& p, const Coop& coop, const Panel& panel, const OperandLayout& a, const OperandLayout& b) {
  ProductParams params{};
  params.m = to_u32(a.vectors), params.n = to_u32(panel.count), params.depth = to_u32(p.layout.k);
  params.c_row = to_u32(p.layout.n), params.c_start = to_u32(panel.first);
  params.k = params.a_row = params.b_column = words_of(a.padded_depth);
  params.row_tiles = to_u32(static_cast<int64_t>(ceil_div(params.m, coop.tile_rows())));
  params.column_tiles = to_u32(static_cast<int64_t>(ceil_div(params.n, coop.tile_columns())));
  params.tiles = to_u32(a.matrices) * params.row_tiles * params.column_tiles;
  params.a_k = words_of(a.elements()), params.b_k = words_of(b.elements());
  params.a_matrix = words_of(a.padded_vectors * a.padded_depth), params.b_matrix = b.matrices == 1 ? 0 : words_of(b.padded_vectors * b.padded_depth);
  params.a_zero_row = to_u32(p.a_zero_row), params.b_zero_column = to_u32(p.b_zero_column);
  for (auto& dim : params.batch) dim = {1, 0, 0, 0};
  const uint32_t rank = a.matrices == 1 ? 0 : p.batch.extent.rank();
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t axis = rank - 1 - d;
    params.batch[d] = {to_u32(p.batch.extent[axis]), to_u32(p.batch.strides[2][axis]), to_u32(p.batch.strides[3][axis]), 0};
  }
  return params;
}

}  // namespace

std::string refuse_byte_coop(const ByteProduct& p, const Capabilities& caps) {
  if (!caps.controls.coop_takes("i8")) return std::format("option coop={}", caps.controls.coop);
  if (std::string why = p.b_weight ? caps.controls.refuse_coop_columns(p.layout.n) : ""; !why.empty()) return why;
  if (!caps.subgroups || caps.matrices.empty()) return "the adapter has no matrices of subgroups";
  if (coop_of(p.form, caps).m == 0) return "no configuration of the adapter is for bytes";
  if (p.layout.batch.rank() > kDims) return std::format("{} batch dimensions, and kernels walk {}", p.layout.batch.rank(), kDims);
  return {};
}

std::string refuse_byte_coop_extents(const ByteProduct& p, const Capabilities& caps) {
  if (std::string why = caps.controls.refuse_coop_columns(p.layout.n); !why.empty()) return why;
  const Coop coop = coop_of(p.form, caps);
  int64_t widest = 0;
  for (const Panel& panel : panels_of_b(p)) widest = std::max(widest, panel.count);
  for (const OperandLayout& layout : {layout_of_a(p, coop), layout_of_b(p, widest, coop)})
    if (layout.bytes(coop.form) > caps.max_binding)
      return std::format("a packed operand takes {} bytes, a binding holds {}", layout.bytes(coop.form), caps.max_binding);
  return {};
}

std::vector<Panel> byte_coop_storage(const ByteProduct& p, const Capabilities& caps) {
  constexpr int64_t kLeastDepth = 64;  // below, A grows by more than half
  const Coop coop = coop_of(p.form, caps);
  const OperandLayout tile_of_b(1, coop.tile_columns(), p.layout.k, coop.tile_columns()), least_a(1, 1, p.layout.k, coop.tile_rows());
  if (!p.b_weight || p.layout.k < kLeastDepth || least_a.bytes(coop.form) > caps.max_binding / 8) return {};
  const int64_t most = static_cast<int64_t>(caps.max_binding / tile_of_b.bytes(coop.form)) * coop.tile_columns();
  return cut_columns(p.layout.n, coop.tile_columns(), most, {0, 0, coop.tile_columns(), false, coop.form});
}

uint32_t byte_coop_program_count(const ByteProduct& p) { return p.stored() ? 2 : 3; }

// Packing A, packing B, the product.
void byte_coop_programs(const ByteProduct& p, const Capabilities& caps, std::vector<Program>& out) {
  const Coop coop = coop_of(p.form, caps);
  out.push_back({operand_label(p.form.a, coop.form, kAlongA), written_by<operand_text>(p.form.a, coop.form, kAlongA), 1, 1});
  if (!p.stored()) out.push_back({operand_label(p.form.b, coop.form, kAlongB), written_by<operand_text>(p.form.b, coop.form, kAlongB), 1, 1});
  out.push_back({coop_label(coop, p.form), written_by<byte_coop_text>(coop, p.form), 4, 1, /*on_matrices=*/true});
}

void byte_coop_launch(const ByteProduct& p, const ByteArguments& args, uint32_t first, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Coop coop = coop_of(p.form, caps);
  const OperandLayout a = layout_of_a(p, coop);
  out.push_back(pack(first, 0, args.a, a, p, coop.form, caps));
  for (uint32_t index = 0; const Panel& panel : panels_of_b(p)) {
    const OperandLayout b = layout_of_b(p, panel.count, coop);
    Argument packed_b = p.stored() ? args.b : scratch(1, b.bytes(coop.form));
    packed_b.panel = index++;
    if (!p.stored()) out.push_back(pack(first + 1, 1, args.b, b, p, coop.form, caps));
    const ProductParams params = params_of(p, coop, panel, a, b);
    out.push_back({first + byte_coop_program_count(p) - 1, {scratch(0, a.bytes(coop.form)), packed_b, args.a_zero, args.b_zero, args.sums},
                   grid_of(params.tiles, caps), to_params(params)});
  }
}

std::string byte_coop_tile(const ByteProduct& p, const Capabilities& caps) {
  const Coop coop = coop_of(p.form, caps);
  return std::format("{}x{} of matrices {}x{}x{}, {}", coop.tile_rows(), coop.tile_columns(), coop.m, coop.n, coop.k,
                     coop.form == OperandForm::I8 ? "i8 to i32" : "u8 to u32");
}

}  // namespace dbk::gpu
