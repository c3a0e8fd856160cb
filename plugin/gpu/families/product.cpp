#include "plugin/gpu/families/product.h"

#include "plugin/gpu/families/lane_text.h"
#include "plugin/gpu/families/line_text.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Batch {
  uint32_t extent, a, b, pad;
};
struct Params {  // kernels/matmul/product.wgsl
  uint32_t m, n, k, tiles;
  uint32_t row_tiles, column_tiles, a_row, a_k;
  uint32_t b_k, b_column, c_row, c_start;
  uint32_t d_row, d_column;
  float alpha, beta;
  uint32_t k_start, zero, pad[2];
  Batch batch[kBatchDims];
};
static_assert(sizeof(Params) == 80 + 16 * kBatchDims);

// Rows, depth, teams, blocks, exact. Each takes what it can of k; an exact one wants multiples of 32 rows and 16
// columns.
constexpr Line kLines[] = {
    {4, 64, 8, false, true}, {4, 64, 16, false, false}, {4, 16, 16, false, false}, {4, 4, 16, false, false}};

bool exact_fits(const Line& line, const Product& p, const Capabilities& caps) {
  const int64_t rows = int64_t{line.rows} * line.teams;
  return p.m % rows == 0 && p.n % kLineColumns == 0 && p.batch.extent.rank() == 1 && p.m / rows <= caps.max_groups &&
         p.n / kLineColumns <= caps.max_groups && p.batch.extent.count() <= caps.max_groups;
}

// Candidates in the order of their programs, best first.
struct Candidates {
  std::vector<Line> lines;  // of each depth
  std::vector<Lane> lanes;
};

bool vectors_of_a(const Product& p) { return !p.trans_a && p.k % 4 == 0; }
bool vectors_of_b(const Product& p) { return p.trans_b && p.k % 4 == 0; }

// What `line` asks of the product itself; how B is stored comes on top.
bool line_shapes(const Product& p) {
  const bool d_fits = !p.has_d || (p.d_column == 1 && p.d_row % 4 == 0);
  return p.dtype == DBK_F32 && vectors_of_a(p) && p.n % 4 == 0 && p.n >= kLineColumns && p.k > 0 && p.alpha == 1 &&
         d_fits;
}

bool in_blocks(const Product& p) { return p.panels.size() == 1 && p.panels[0].block > 0; }
bool line_fits(const Product& p) { return line_shapes(p) && p.panels.size() == 1 && (!p.trans_b || in_blocks(p)); }

bool lane_fits(const Lane& lane, const Product& p) {
  switch (lane.access) {
    case Lane::Access::RowsColumns:
      return vectors_of_a(p) && vectors_of_b(p);
    case Lane::Access::RowsRows:
      return vectors_of_a(p);
    case Lane::Access::Elements:
      return true;
  }
  return false;
}

// What cannot change from run to run decides here; extents that can are looked at again by each launch.
Candidates candidates_of(const Product& p, const Capabilities& caps) {
  Candidates c;
  const auto may_fit = [&](bool fits) { return fits || !p.b_fixed; };
  const bool line_ever =
      line_possible(caps) && p.dtype == DBK_F32 && !p.trans_a && p.alpha == 1 && (!p.trans_b || in_blocks(p));
  const Line whole = line_ever && p.b_fixed && in_blocks(p) && line_fits(p) ? whole_line(p.k, caps) : Line{};
  if (whole.parts > 0) {
    c.lines.push_back(whole);
  } else if (line_ever && may_fit(line_fits(p))) {
    for (const Line& line : kLines) {
      c.lines.push_back(line);
      c.lines.back().blocks = in_blocks(p);
    }
  }
  if (in_blocks(p)) return c;  // stored for `line` alone
  const Lane vectors = lane_for(p.trans_b ? Lane::Access::RowsColumns : Lane::Access::RowsRows, caps);
  if (!p.trans_a && may_fit(lane_fits(vectors, p))) c.lanes.push_back(vectors);
  c.lanes.push_back(lane_for(Lane::Access::Elements, caps));
  return c;
}

Params params_of(const Product& p, const Panel& panel, int64_t tile_rows, int64_t tile_columns) {
  Params params{};
  params.m = to_u32(p.m), params.n = to_u32(panel.count), params.k = to_u32(p.k);
  params.row_tiles = to_u32(ceil_div(p.m, tile_rows)),
  params.column_tiles = to_u32(ceil_div(panel.count, tile_columns));
  params.tiles = to_u32(p.batch.extent.count()) * params.row_tiles * params.column_tiles;
  params.a_row = to_u32(p.a_row), params.a_k = to_u32(p.a_k);
  params.b_k = p.panels.size() > 1 ? to_u32(panel.count) : to_u32(p.b_k), params.b_column = to_u32(p.b_column);
  params.c_row = to_u32(p.n), params.c_start = to_u32(panel.first);
  params.d_row = to_u32(p.d_row), params.d_column = to_u32(p.d_column);
  params.alpha = p.alpha, params.beta = p.beta;
  for (Batch& b : params.batch) b = {1, 0, 0, 0};
  const uint32_t rank = p.batch.extent.rank();
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t axis = rank - 1 - d;
    const int64_t b = p.batch.strides[1][axis] / p.n * panel.count;  // a panel's matrices are narrower
    params.batch[d] = {to_u32(p.batch.extent[axis]), to_u32(p.batch.strides[0][axis]), to_u32(b), 0};
  }
  return params;
}

// Lines come first, those with the epilogue after those without; one that takes all of k is the last dispatch anyway.
bool is_whole(const Candidates& c) { return !c.lines.empty() && c.lines[0].parts > 0; }
uint32_t line_programs(const Product& p, const Candidates& c) {
  return static_cast<uint32_t>(c.lines.size()) * (p.epilogue && !is_whole(c) ? 2 : 1);
}

std::vector<Argument> arguments_of(const Product& p, uint32_t panel, bool finish) {
  std::vector<Argument> args{input(0), {Argument::Kind::Input, 1, panel}};
  if (p.has_d) args.push_back(input(2));
  if (finish)
    for (const EpilogueOperand& operand : p.epilogue.operands) args.push_back(input(operand.input));
  args.push_back(output(0));
  return args;
}

// One dispatch per part of k, each adding to what the ones before left in C; the last one applies the epilogue.
void launch_lines(const Product& p, const Candidates& c, const Capabilities& caps, std::vector<Dispatch>& out) {
  int64_t k = 0;
  for (uint32_t i = 0; i < c.lines.size(); ++i) {
    const Line& line = c.lines[i];
    if (line.exact && !exact_fits(line, p, caps)) continue;
    Params params = params_of(p, p.panels[0], line.rows, kLineColumns);
    std::array<uint32_t, 3> groups = grid_of(ceil_div(params.tiles, line.teams), caps);
    if (line.exact) groups = {params.row_tiles / line.teams, params.column_tiles, to_u32(p.batch.extent.count())};
    for (; k + line.depth <= p.k; k += line.depth) {
      params.k_start = to_u32(k);
      const bool last = k + line.depth == p.k;
      const uint32_t program = i + (p.epilogue && last ? static_cast<uint32_t>(c.lines.size()) : 0);
      out.push_back({program, arguments_of(p, 0, last), groups, to_params(params)});
    }
  }
}

void launch_whole(const Product& p, const Line& line, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Params params = params_of(p, p.panels[0], line.rows, kLineColumns);
  const uint32_t tiles = line.teams / line.parts;  // of a workgroup
  out.push_back({0, arguments_of(p, 0, true), grid_of(ceil_div(params.tiles, tiles), caps), to_params(params)});
}

void launch_lanes(const Product& p, const Candidates& c, const Capabilities& caps, std::vector<Dispatch>& out) {
  uint32_t i = 0;
  while (!lane_fits(c.lanes[i], p)) ++i;
  const Lane& lane = c.lanes[i];
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    const Params params = params_of(p, p.panels[panel], lane.rows, int64_t{lane.lanes} * lane.columns);
    out.push_back({line_programs(p, c) + i, arguments_of(p, panel, true), grid_of(params.tiles, caps), to_params(params)});
  }
}

bool of_integers(const Product& p) { return contains(INTS, p.dtype); }

Program integer_program(const Product& p) {
  ProgramText text;
  text.arithmetic(p.dtype).file("matmul/product").file("matmul/integers").file(p.has_d ? "matmul/addend" : "matmul/addend_none");
  return {std::format("matmul/{}{}", to_string(p.dtype), p.has_d ? "/d" : ""), text.str(), p.has_d ? 3u : 2u, 1};
}

void launch_integers(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    const Params params = params_of(p, p.panels[panel], 1, 1);
    out.push_back({0, arguments_of(p, panel, true), grid_of(ceil_div(params.tiles, kGroupSize), caps), to_params(params)});
  }
}

}  // namespace

std::vector<Panel> column_panels(const TensorType& weight, const Capabilities& caps) {
  const int64_t columns = weight.shape[weight.shape.rank() - 1];
  if (refuse_size(weight, caps).empty()) return {{0, columns}};
  const int64_t column_bytes = byte_size(weight.dtype, weight.count() / columns);
  const int64_t width = static_cast<int64_t>(caps.max_binding) / column_bytes / 16 * 16;
  std::vector<Panel> panels;
  for (int64_t first = 0; width > 0 && first < columns; first += width)
    panels.push_back({first, std::min(width, columns - first)});
  return panels;
}

std::vector<Panel> product_panels(const Product& p, const TensorType& b, const Capabilities& caps) {
  const bool whole = refuse_size(b, caps).empty();
  if (p.b_fixed && whole && line_possible(caps) && line_shapes(p) && b.shape.rank() == 2 &&
      p.n % kLineColumns == 0)
    return {{0, p.n, kLineColumns, p.trans_b}};
  if (p.b_fixed && !p.trans_b && b.shape.rank() >= 2) return column_panels(b, caps);
  return whole ? std::vector<Panel>{{0, p.n}} : std::vector<Panel>{};
}

std::string refuse_product(const TypedNode& node, const Product& p, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (node.inputs[1].dtype != node.inputs[0].dtype) return "operands of different types have no kernel";
  if (std::string reason = refuse_operands(node, caps, /*except=*/1); !reason.empty()) return reason;
  if (of_integers(p) && (p.alpha != 1 || p.beta != 1)) return "integers that are scaled have no kernel";  // it takes double
  if (p.panels.empty()) return refuse_size(node.inputs[1], caps);
  if (std::string reason = refuse_epilogue(node, p.epilogue, caps); !reason.empty()) return reason;
  if (p.batch.extent.rank() > kBatchDims)
    return std::format("{} batch dimensions remain after merging, and kernels walk {}", p.batch.extent.rank(),
                       kBatchDims);
  return {};
}

void product_programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) {
  if (of_integers(p)) return out.push_back(integer_program(p));
  const Candidates c = candidates_of(p, caps);
  const bool scaled = p.alpha != 1;
  const uint32_t own = p.has_d ? 3 : 2, reads = own + static_cast<uint32_t>(p.epilogue.operands.size());
  if (!is_whole(c))
    for (const Line& line : c.lines) out.push_back({line_label(line, p.has_d), line_text(line, p.has_d), own, 1});
  if (p.epilogue || is_whole(c))
    for (const Line& line : c.lines)
      out.push_back({line_label(line, p.has_d, p.epilogue), line_text(line, p.has_d, p.epilogue), reads, 1});
  for (const Lane& lane : c.lanes)
    out.push_back({lane_label(lane, p.dtype, scaled, p.has_d, p.epilogue),
                   lane_text(lane, p.dtype, scaled, p.has_d, p.epilogue), reads, 1});
}

void product_launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (p.m == 0 || p.n == 0 || p.batch.extent.count() == 0) return;
  if (of_integers(p)) return launch_integers(p, caps, out);
  const Candidates c = candidates_of(p, caps);
  if (is_whole(c))
    launch_whole(p, c.lines[0], caps, out);
  else if (!c.lines.empty() && line_fits(p))
    launch_lines(p, c, caps, out);
  else
    launch_lanes(p, c, caps, out);
}

}  // namespace dbk::gpu
