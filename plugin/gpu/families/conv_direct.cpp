#include "plugin/gpu/families/conv_direct.h"

#include <algorithm>

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
  uint32_t channels_in, channels_out, positions, plane, zero_step;
  std::array<SpatialAxis, 3> axes;
};
static_assert(sizeof(Params) == 48 + 3 * 32);

}  // namespace

DirectConv direct_tile(const Convolution& c, bool fixed, bool transposed, const Capabilities& caps) {
  const int64_t channels = fixed ? c.channels_out : 8;
  const uint32_t block = channels >= 6 ? 8 : channels >= 2 ? 4 : 1;
  // A workgroup of one subgroup reads weights by scalar loads; GPUs have registers for more positions per lane.
  if (caps.cpu_adapter) return {std::clamp(caps.subgroup_max, 4u, 16u), block, 2, transposed};
  return {64, block, 4, transposed};
}

std::string direct_tile_text(const DirectConv& tile) {
  return std::format("{} channels by {} positions each of {} lanes", tile.channels, tile.positions, tile.lanes);
}

Dispatch direct_dispatch(const Convolution& c, const DirectConv& tile, std::vector<Argument> args, const Capabilities& caps, uint32_t zero_step) {
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
                      zero_step,
                      spatial_axes(c.windows)};
  return {0, std::move(args), grid_of(tiles, caps), to_params(params)};
}

}  // namespace dbk::gpu
