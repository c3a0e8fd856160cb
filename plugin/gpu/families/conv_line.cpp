#include "plugin/gpu/families/conv_line.h"

#include <algorithm>
#include <bit>

#include "plugin/gpu/families/conv_phases.h"
#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/conv/line.wgsl
  uint32_t tiles, channel_tiles;
  float channel_tiles_inverse;
  uint32_t column_tiles;
  float column_tiles_inverse;
  uint32_t rows;
  float rows_inverse;
  uint32_t slice_rows;
  float slice_rows_inverse;
  uint32_t width, x_row, x_slice, x_part, channels_out, groups;
  float groups_inverse;
  uint32_t w_group, w_channel, k_start, zero;
  std::array<uint32_t, kLineConvDepth> offsets, w_offsets;
};
static_assert(sizeof(Params) == 80 + 8 * kLineConvDepth);

// Of a single channel more columns are summed together: each sum waits for the one before it.
LineConv tile_of(const ConvNode& node) {
  if (node.c.channels_out >= 3) return {4, 16, 0, node.transposed};
  return {1, 32, 0, node.transposed};
}

int64_t depth_of(const Convolution& c) { return c.channels_in * c.windows.taps(); }

// Taps of the programs that a sum goes through. The last one also ends it and so is a program of its own for every epilogue: a short
// one, which is compiled quickly.
std::vector<uint32_t> steps_of(int64_t depth) {
  constexpr int64_t kLongestEnd = 16;
  const auto end = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::min(depth, kLongestEnd))));
  std::vector<uint32_t> steps;
  int64_t rest = depth - end;
  for (uint32_t step = kLineConvDepth; step > 0; step /= 2)
    for (; rest >= step; rest -= step) steps.push_back(step);
  steps.push_back(static_cast<uint32_t>(end));
  return steps;
}

// The lengths among the steps, each once.
std::vector<uint32_t> lengths_of(std::vector<uint32_t> steps) {
  std::ranges::sort(steps, std::greater());
  steps.erase(std::ranges::unique(steps).begin(), steps.end());
  return steps;
}

Params params_of(const ConvNode& node, const ConvPhases& g, const LineConv& tile) {
  const Convolution& c = node.c;
  const int64_t taps = c.windows.taps(), depth = depth_of(c);
  const auto channel_tiles = static_cast<int64_t>(ceil_div(c.channels_out, tile.rows));
  const auto column_tiles = static_cast<int64_t>(ceil_div(g.width, tile.columns));
  Params params{};
  params.tiles = to_u32(c.batch * c.groups * g.rows * column_tiles * channel_tiles);
  params.channel_tiles = to_u32(channel_tiles), params.channel_tiles_inverse = inverse_of(channel_tiles);
  params.column_tiles = to_u32(column_tiles), params.column_tiles_inverse = inverse_of(column_tiles);
  params.rows = to_u32(g.rows), params.rows_inverse = inverse_of(g.rows);
  params.slice_rows = to_u32(g.slice_rows), params.slice_rows_inverse = inverse_of(g.slice_rows);
  params.width = to_u32(g.width);
  params.x_row = to_u32(g.row), params.x_slice = to_u32(g.slice), params.x_part = to_u32(c.channels_in * g.plane);
  params.channels_out = to_u32(c.channels_out);
  params.groups = to_u32(c.groups), params.groups_inverse = inverse_of(c.groups);
  params.w_group = to_u32(c.channels_out * depth), params.w_channel = to_u32(node.transposed ? taps : depth);
  return params;
}

// The taps of a program that begins at k.
void set_taps(Params& params, const ConvNode& node, const ConvPhases& g, int64_t k, uint32_t count) {
  const int64_t taps = node.c.windows.taps();
  params.k_start = to_u32(k);
  for (uint32_t u = 0; u < count; ++u) {
    const int64_t channel = (k + u) / taps, tap = (k + u) % taps;
    params.offsets[u] = to_u32(channel * g.plane + g.offset(tap));
    params.w_offsets[u] = to_u32(channel * node.c.channels_out * taps + taps - 1 - tap);  // of transposed ones
  }
}

std::vector<Argument> ending_arguments(const ConvNode& node, const ConvPhases& g) {
  std::vector<Argument> args{g.stored(), input(1)};
  if (node.finish.has_bias) args.push_back(input(2));
  for (const EpilogueOperand& operand : node.finish.epilogue.operands) args.push_back(input(operand.input));
  args.push_back(g.sums());
  if (!g.in_result) args.push_back(output(0));
  return args;
}

}  // namespace

std::string refuse_line_conv(const TypedNode& node, const Capabilities& caps) {
  if (!line_possible(caps)) return "it is for software adapters with vectors of 8 and without bounds checks";
  if (node.inputs[0].dtype != DBK_F32) return std::format("it has no kernel for {}", to_string(node.inputs[0].dtype));
  return node.is_weight.size() > 1 && node.is_weight[1] ? "" : "the weights are computed";
}

std::string refuse_line_conv_extents(const ConvNode& node, const Capabilities& caps) {
  constexpr int64_t kWorth = 1 << 16;  // products below which more dispatches cost more than they save
  const Convolution& c = node.c;
  const int64_t products = c.windows.out_count() * depth_of(c) * c.channels_out * c.groups;
  if (!phases_possible(c, node.transposed)) return "windows that it cannot lay out";
  if (products < kWorth) return std::format("{} products are too few for several dispatches", products);
  const ConvPhases g(c, node.transposed, node.finish, tile_of(node).columns);
  if (!phases_possible(g, c, node.transposed)) return "laying out its input would take more than it saves";
  const uint64_t bytes = std::max(g.stored_bytes(), g.sum_bytes());
  return bytes > caps.max_binding ? std::format("its input or sums take {} bytes, a binding holds {}", bytes, caps.max_binding) : "";
}

std::string line_conv_tile(const ConvNode& node) {
  const LineConv tile = tile_of(node);
  return std::format("{} channels by {} positions", tile.rows, tile.columns);
}

void line_conv_programs(const ConvNode& node, std::vector<Program>& out) {
  if (!phases_possible(node.c, node.transposed) || depth_of(node.c) == 0) return;
  const std::vector<uint32_t> steps = steps_of(depth_of(node.c));
  LineConv tile = tile_of(node);
  const std::optional<ConvFinish> no_finish;
  for (uint32_t length : lengths_of(steps)) {
    tile.depth = length;
    out.push_back({line_conv_label(tile, no_finish), written_by<line_conv_text>(tile, no_finish), 2, 1});
  }
  tile.depth = steps.back();
  const std::optional<ConvFinish> finish = node.finish;
  out.push_back({line_conv_label(tile, finish), written_by<line_conv_text>(tile, finish), finish->reads(), 1});
  phase_programs(node.c, node.transposed, node.finish, out);
}

void line_conv_launch(const ConvNode& node, const Capabilities& caps, uint32_t first, std::vector<Dispatch>& out) {
  const Convolution& c = node.c;
  const LineConv tile = tile_of(node);
  const ConvPhases g(c, node.transposed, node.finish, tile.columns);
  const std::vector<uint32_t> steps = steps_of(depth_of(c)), lengths = lengths_of(steps);
  const auto ending = first + static_cast<uint32_t>(lengths.size());
  launch_spread(g, caps, ending + 1, out);
  Params params = params_of(node, g, tile);
  const std::array<uint32_t, 3> grid = grid_of(ceil_div(params.tiles, kLineConvTeams), caps);
  int64_t k = 0;
  for (size_t i = 0; i < steps.size(); k += steps[i++]) {
    set_taps(params, node, g, k, steps[i]);
    if (g.in_place && i + 1 == steps.size()) {
      out.push_back({ending, ending_arguments(node, g), grid, to_params(params)});
      continue;
    }
    const auto length = static_cast<uint32_t>(std::ranges::find(lengths, steps[i]) - lengths.begin());
    out.push_back({first + length, {g.stored(), input(1), g.sums()}, grid, to_params(params)});
  }
  if (!g.in_place) launch_collect(g, c, node.finish, caps, ending + 1, out);
}

}  // namespace dbk::gpu
