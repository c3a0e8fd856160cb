// What every convolution program shares. The input is [batch * groups][channels_in][in], the result [batch * groups][
// channels_out][positions]; work is cut in tiles of channels and positions, positions fastest, so that neighbours share
// weights.
struct Params {
  tiles: u32,
  position_tiles: u32,
  position_tiles_inverse: f32,
  channel_tiles: u32,  // of one group
  channel_tiles_inverse: f32,
  groups: u32,
  groups_inverse: f32,
  channels_in: u32,  // of one group
  channels_out: u32,
  positions: u32,  // of the result in one channel
  plane: u32,  // elements of the input in one channel
  zero_step: u32,  // of integers: from the zero point of the weights of one channel to the next
  axes: array<Axis, 3>,
}

struct Place {
  part: u32,  // batch * groups + group
  group: u32,
  channel: u32,  // tile
  position: u32,
}

fn place_of(tile: u32) -> Place {
  let rest = divide(tile, p.position_tiles, p.position_tiles_inverse);
  let part = divide(rest, p.channel_tiles, p.channel_tiles_inverse);
  let batch = divide(part, p.groups, p.groups_inverse);
  return Place(part, part - batch * p.groups, rest - part * p.channel_tiles, tile - rest * p.position_tiles);
}
