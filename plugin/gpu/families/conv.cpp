// Conv and ConvTranspose: the `direct` program takes everything (conv_text.h), `line` those over weights on CPU adapters
// (conv_line.h).
#include "host_fallback/conv.h"

#include "plugin/gpu/families/conv_line.h"
#include "plugin/gpu/families/conv_text.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/spatial.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/conv/params.wgsl
  uint32_t tiles, position_tiles;
  float position_tiles_inverse;
  uint32_t channel_tiles;
  float channel_tiles_inverse;
  uint32_t groups;
  float groups_inverse;
  uint32_t channels_in, channels_out, positions, plane, zero;
  std::array<SpatialAxis, 3> axes;
};
static_assert(sizeof(Params) == 48 + 3 * 32);

constexpr size_t kX = 0, kW = 1, kBias = 2;

bool is_transposed(const TypedNode& node) { return node.op->family == kConvTranspose.name; }

Convolution convolution_of(const TypedNode& node) {
  const Shape &x = node.inputs[kX].shape, &w = node.inputs[kW].shape;
  return is_transposed(node) ? transposed_convolution_of(*node.attrs, x, w) : dbk::convolution_of(*node.attrs, x, w);
}

// Independent of extents that may change: weights that are inputs get the tile for many channels.
DirectConv tile_of(const TypedNode& node, const Capabilities& caps) {
  const bool fixed = node.is_weight.size() > kW && node.is_weight[kW];
  const int64_t channels = fixed ? convolution_of(node).channels_out : 8;
  const uint32_t block = channels >= 6 ? 8 : channels >= 2 ? 4 : 1;
  // A workgroup of one subgroup reads weights by scalar loads; GPUs have registers for more positions per lane.
  if (caps.cpu_adapter) return {std::clamp(caps.subgroup_max, 4u, 16u), block, 2, is_transposed(node)};
  return {64, block, 4, is_transposed(node)};
}

bool has_bias(const TypedNode& node) { return own_inputs(node) > kBias && node.has(kBias); }

ConvNode line_node(const TypedNode& node) {
  return {convolution_of(node), is_transposed(node), {has_bias(node), epilogue_of(node)}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kX); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  if (std::string reason = refuse_epilogue(node, epilogue_of(node), caps); !reason.empty()) return reason;
  return refuse_windows(convolution_of(node).windows);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const DirectConv tile = tile_of(node, caps);
  const DType dtype = node.inputs[kX].dtype;
  const bool bias = has_bias(node);
  const Epilogue epilogue = epilogue_of(node);
  const uint32_t reads = (bias ? 3 : 2) + static_cast<uint32_t>(epilogue.operands.size());
  out.push_back({direct_conv_label(tile, dtype, bias, epilogue), direct_conv_text(tile, dtype, bias, epilogue), reads, 1});
  if (line_conv_possible(node, caps)) line_conv_programs(line_node(node), out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  if (line_conv_possible(node, caps))
    if (const ConvNode line = line_node(node); line_conv_fits(line, caps)) return line_conv_launch(line, caps, 1, out);
  const Convolution c = convolution_of(node);
  const DirectConv tile = tile_of(node, caps);
  const int64_t positions = c.windows.out_count();
  const auto position_tiles = static_cast<int64_t>(ceil_div(positions, tile.lanes * tile.positions));
  const auto channel_tiles = static_cast<int64_t>(ceil_div(c.channels_out, tile.channels));
  const int64_t tiles = c.batch * c.groups * channel_tiles * position_tiles;
  const Params params{to_u32(tiles),
                      to_u32(position_tiles),
                      inverse_of(position_tiles),
                      to_u32(channel_tiles),
                      inverse_of(channel_tiles),
                      to_u32(c.groups),
                      inverse_of(c.groups),
                      to_u32(c.channels_in),
                      to_u32(c.channels_out),
                      to_u32(positions),
                      to_u32(c.windows.in_count()),
                      0,
                      spatial_axes(c.windows)};
  std::vector<Argument> args{input(kX), input(kW)};
  if (has_bias(node)) args.push_back(input(kBias));
  for (const EpilogueOperand& operand : epilogue_of(node).operands) args.push_back(input(operand.input));
  args.push_back(output(0));
  out.push_back({0, std::move(args), grid_of(tiles, caps), to_params(params)});
}

}  // namespace

constinit const Family kConv{"conv", refuse, programs, launch};
constinit const Family kConvTranspose{"conv_transpose", refuse, programs, launch};

}  // namespace dbk::gpu
