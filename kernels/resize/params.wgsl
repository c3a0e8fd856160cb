// What every pass of a resize shares.
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
