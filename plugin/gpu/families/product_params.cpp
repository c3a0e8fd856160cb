#include "plugin/gpu/families/product_params.h"

namespace dbk::gpu {

ProductParams params_of(const Product& p, const Panel& panel, int64_t tile_rows, int64_t tile_columns) {
  ProductParams params{};
  params.m = to_u32(p.m), params.n = to_u32(panel.count), params.k = to_u32(p.k);
  params.row_tiles = to_u32(ceil_div(p.m, tile_rows)),
  params.column_tiles = to_u32(ceil_div(panel.count, tile_columns));
  params.part_tiles = to_u32(p.batch.extent.count()) * params.row_tiles * params.column_tiles;
  params.part_steps = to_u32(p.cut.steps), params.parts = to_u32(p.cut.parts), params.part_size = to_u32(p.elements());
  params.tiles = params.part_tiles * params.parts;
  params.a_row = to_u32(p.a_row), params.a_k = to_u32(p.a_k);
  const bool narrow = p.panels.size() > 1 && panel.block == 0 && !panel.of_rows;  // rows of a panel are
  const auto in_panel = [&](int64_t stride) { return narrow ? stride / p.n * panel.count : stride; };
  params.b_k = to_u32(in_panel(p.b_k)), params.b_column = to_u32(p.b_column);
  params.c_row = to_u32(p.n), params.c_start = to_u32(panel.first);
  params.d_row = to_u32(p.d_row), params.d_column = to_u32(p.d_column);
  params.alpha = p.alpha, params.beta = p.beta;
  params.second = to_u32(p.parts.first(1)), params.third = to_u32(p.parts.first(2));
  for (ProductBatch& b : params.batch) b = {1, 0, 0, 0};
  const uint32_t rank = p.batch.extent.rank();
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t axis = rank - 1 - d;
    params.batch[d] = {to_u32(p.batch.extent[axis]), to_u32(p.batch.strides[0][axis]), to_u32(in_panel(p.batch.strides[1][axis])), 0};
  }
  return params;
}

// Behind what kernels have of their own.
Argument sums_of_parts(const Product& p) {
  constexpr uint32_t kMemory = 2;
  return scratch(kMemory, static_cast<uint64_t>(p.cut.parts) * p.sum_bytes());
}

std::vector<Argument> arguments_of(const Product& p, uint32_t panel, bool finish) {
  std::vector<Argument> args{input(0), {Argument::Kind::Input, 1, panel}};
  if (p.has_d) args.push_back(input(2));
  if (finish)
    for (const EpilogueOperand& operand : p.epilogue.operands) args.push_back(input(operand.input));
  const ProductForm form = p.form();
  if (form.partial) args.push_back(sums_of_parts(p));
  for (uint32_t i = 0; i < form.results && !form.partial; ++i) args.push_back(output(i));
  return args;
}

void launch_tiles(const Product& p, uint32_t program, int64_t tile_rows, int64_t tile_columns, const Capabilities& caps,
                  std::vector<Dispatch>& out) {
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    const ProductParams params = params_of(p, p.panels[panel], tile_rows, tile_columns);
    out.push_back({program, arguments_of(p, panel, true), grid_of(params.tiles, caps), to_params(params)});
  }
}

}  // namespace dbk::gpu
