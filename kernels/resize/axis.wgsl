// One axis of a tensor seen as [outer, extent, inner] becomes another extent: y[o, j, k] is made of elements x[o, place, k] that the table
// names for position j. A dispatch covers `positions` of them, from `first` on; one invocation makes one element.
struct Params {
  count: u32,  // outer * positions * inner
  inner: u32,
  inner_inverse: f32,
  positions: u32,
  positions_inverse: f32,
  first: u32,
  extent: u32,
  result: u32,
  units: u32,  // entries of the table for one position
  pad: u32,
  outside: vec2<u32>,  // bits of the value of positions beyond the input
  table: array<vec4<u32>, table_size>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<target_type>;
@group(0) @binding(2) var<uniform> p: Params;

fn run(i: u32) {
  let row = divide(i, p.inner, p.inner_inverse);
  let k = i - row * p.inner;
  let outer = divide(row, p.positions, p.positions_inverse);
  let position = row - outer * p.positions;
  y[(outer * p.result + p.first + position) * p.inner + k] = made(position, outer * p.extent * p.inner + k);
}
