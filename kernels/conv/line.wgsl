// Where the tiles of the `line` convolution lie (plugin/gpu/families/conv_line.h). Tiles of channels come fastest, so that
// neighbours read the same elements of the input; then tiles along a row of results, rows, and parts: one group of one
// batch entry.
struct Params {
  tiles: u32,
  channel_tiles: u32,
  channel_tiles_inverse: f32,
  column_tiles: u32,  // of a row
  column_tiles_inverse: f32,
  rows: u32,  // of results of one channel
  rows_inverse: f32,
  slice_rows: u32,  // of one slice of three-dimensional results
  slice_rows_inverse: f32,
  width: u32,  // results of a row
  x_row: u32,  // elements of the stored input from row to row, from slice to slice and from part to part
  x_slice: u32,
  x_part: u32,
  channels_out: u32,
  groups: u32,
  groups_inverse: f32,
  w_group: u32,
  w_channel: u32,
  k_start: u32,  // taps that the sums have already
  zero: u32,
  offsets: array<vec4<u32>, 16>,  // of the elements under each tap, from a result's own place on
  w_offsets: array<vec4<u32>, 16>,  // of its weight
}

struct Place {
  channel: u32,  // tile of channels
  column: u32,  // tile of the row
  row: u32,
  part: u32,
  group: u32,
  x: u32,  // first element of the row in the stored input
  w: u32,  // first weight of the group
}

fn place_of(tile: u32) -> Place {
  let across = divide(tile, p.channel_tiles, p.channel_tiles_inverse);
  let line = divide(across, p.column_tiles, p.column_tiles_inverse);
  let part = divide(line, p.rows, p.rows_inverse);
  let row = line - part * p.rows;
  let slice = divide(row, p.slice_rows, p.slice_rows_inverse);
  let group = part - divide(part, p.groups, p.groups_inverse) * p.groups;
  let x = part * p.x_part + slice * p.x_slice + (row - slice * p.slice_rows) * p.x_row;
  return Place(tile - across * p.channel_tiles, across - line * p.column_tiles, row, part, group, x, group * p.w_group);
}

// An index of single elements, as `unaligned` of vectors.
fn unaligned_element(index: u32) -> u32 {
  return (index + p.zero) & 0x0fffffffu;
}
