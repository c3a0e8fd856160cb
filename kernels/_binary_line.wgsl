// _binary.wgsl for CPU adapters: each subgroup of 8 lanes takes 32 neighbours of a row by uniform loads (_line.wgsl). A
// row operand has a row stride of 0; a_single and b_single, constants of the program, make an operand one element for
// all. Equal shapes are one row, whose last subgroups take the last 32 elements again; several rows are multiples of
// 32.
struct Params {
  vectors: u32,
  zero: u32,
  row: u32,  // vectors in a row
  row_inverse: f32,
  a_row: u32,  // vectors from row to row
  b_row: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(3) var<uniform> p: Params;

fn read_a(at: u32, lane: u32) -> f32 {
  if (a_single == 1u) {
    return a[0].x;
  }
  return pick(a[at], a[at + 1u], lane);
}

fn read_b(at: u32, lane: u32) -> f32 {
  if (b_single == 1u) {
    return b[0].x;
  }
  return pick(b[at], b[at + 1u], lane);
}

fn store(at: u32, v: f32) {
  y[at] = low_lanes(v);
  y[at + 1u] = high_lanes(v);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let run = flat_group(group, groups) * (group_size / 8u) + team;
  let first = min(run * 8u, p.vectors - 8u);
  let row = divide(first, p.row, p.row_inverse);
  let column = first - row * p.row;
  let a_at = unaligned(row * p.a_row + column);
  let b_at = unaligned(row * p.b_row + column);
  let y_at = unaligned(first);
  let r0 = apply(read_a(a_at, lane), read_b(b_at, lane));
  let r1 = apply(read_a(a_at + 2u, lane), read_b(b_at + 2u, lane));
  let r2 = apply(read_a(a_at + 4u, lane), read_b(b_at + 4u, lane));
  let r3 = apply(read_a(a_at + 6u, lane), read_b(b_at + 6u, lane));
  store(y_at, r0);
  store(y_at + 2u, r1);
  store(y_at + 4u, r2);
  store(y_at + 6u, r3);
}
