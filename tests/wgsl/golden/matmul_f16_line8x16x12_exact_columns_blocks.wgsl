enable subgroups;
enable f16;
const group_size: u32 = 64u;

// Grids. A dispatch of more groups than one dimension holds spills to y and z (grid_of in plugin/gpu/family.cpp); the
// flat index of a group can exceed the number wanted, so every entry point compares with its own count.
fn flat_group(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return (group.z * groups.y + group.y) * groups.x + group.x;
}

// What every matmul program shares: C = alpha A B + beta D for each matrix of a batch, D of the size of C or broadcast
// to it. Work is cut in tiles, rows fastest, so that neighbours share the same columns of B. All strides are in
// elements.
struct Batch {
  extent: u32,
  a: u32,
  b: u32,
  pad: u32,
}

struct Params {
  m: u32,
  n: u32,
  k: u32,
  tiles: u32,  // of the whole batch
  row_tiles: u32,
  column_tiles: u32,
  a_row: u32,
  a_k: u32,
  b_k: u32,
  b_column: u32,
  c_row: u32,
  c_start: u32,  // column of C where column 0 of this B goes
  d_row: u32,
  d_column: u32,
  alpha: f32,
  beta: f32,
  k_start: u32,  // programs that take a part of k at a time begin here
  zero: u32,  // 0, which the compiler cannot know
  second: u32,  // columns where the second and third result begin, of a C that goes to several
  third: u32,
  part_steps: u32,  // of k in a part, where it is cut into parts
  part_tiles: u32,  // of the whole batch, in a part
  part_size: u32,  // elements of the whole C
  parts: u32,
  batch: array<Batch, 4>,  // innermost first
}

struct Place {
  row: u32,  // tile of rows
  column: u32,  // tile of columns
  a: u32,  // first element of the batch's matrix
  b: u32,
  c: u32,
  top: u32,  // row of its first, where all matrices of C lie one below the other
}

// Straight-line on purpose: see line_text.cpp.
fn place_of(tile: u32) -> Place {
  let across = tile / p.row_tiles;
  let batch = across / p.column_tiles;
  let q0 = batch / p.batch[0].extent;
  let q1 = q0 / p.batch[1].extent;
  let q2 = q1 / p.batch[2].extent;
  let c0 = batch - q0 * p.batch[0].extent;
  let c1 = q0 - q1 * p.batch[1].extent;
  let c2 = q1 - q2 * p.batch[2].extent;
  let a = c0 * p.batch[0].a + c1 * p.batch[1].a + c2 * p.batch[2].a + q2 * p.batch[3].a;
  let b = c0 * p.batch[0].b + c1 * p.batch[1].b + c2 * p.batch[2].b + q2 * p.batch[3].b;
  return Place(tile - across * p.row_tiles, across - batch * p.column_tiles, a, b, batch * p.m * p.c_row + p.c_start,
               batch * p.m);
}

// Of a batch of one matrix: divisions take a while.
fn place_in_one(tile: u32) -> Place {
  let column = tile / p.row_tiles;
  return Place(tile - column * p.row_tiles, column, 0u, 0u, p.c_start, 0u);
}

// Pieces of the `line` programs, for CPU adapters without bounds checks. `pick` gives each of 8 lanes its own of 8
// uniform values, a chain that compilers see as one vector load; `unaligned` is the index itself, of low bits that the
// compiler cannot know (p.zero is 0), since loads proven aligned are split. Loops and branches before the stores would
// undo both; so would masked lanes.
fn pick(low: vec4<f32>, high: vec4<f32>, lane: u32) -> f32 {
  var v = low.x;
  v = select(v, low.y, lane == 1u);
  v = select(v, low.z, lane == 2u);
  v = select(v, low.w, lane == 3u);
  v = select(v, high.x, lane == 4u);
  v = select(v, high.y, lane == 5u);
  v = select(v, high.z, lane == 6u);
  v = select(v, high.w, lane == 7u);
  return v;
}

fn unaligned(vector: u32) -> u32 {
  return (vector + p.zero) & 0x03ffffffu;
}

// The lanes of a value as the two vectors that `line` programs store.
fn low_lanes(v: f32) -> vec4<f32> {
  return vec4<f32>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
}

fn high_lanes(v: f32) -> vec4<f32> {
  return vec4<f32>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
}

// What `line` programs do with elements of f16, beside _line.wgsl for those of f32. Lanes hold f32; a whole vector of lanes is converted at
// once, and never one lane at a time.
fn pick_f16(low: vec4<f16>, high: vec4<f16>, lane: u32) -> f32 {
  var v = low.x;
  v = select(v, low.y, lane == 1u);
  v = select(v, low.z, lane == 2u);
  v = select(v, low.w, lane == 3u);
  v = select(v, high.x, lane == 4u);
  v = select(v, high.y, lane == 5u);
  v = select(v, high.z, lane == 6u);
  v = select(v, high.w, lane == 7u);
  return f32(v);
}

fn low_lanes_f16(value: f32) -> vec4<f16> {
  let v = f16(value);
  return vec4<f16>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
}

fn high_lanes_f16(value: f32) -> vec4<f16> {
  let v = f16(value);
  return vec4<f16>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
}

// One subgroup: 8 rows by 16 columns, 12 steps of k.
@group(0) @binding(0) var<storage, read> a: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f16>>;
@group(0) @binding(2) var<storage, read> c: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f16>>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let place = Place(group.x * 8u + team, group.y, group.z * p.batch[0].a, group.z * p.batch[0].b, group.z * p.m * p.c_row + p.c_start, group.z * p.m);
  let row = place.row * 8u;
  let column = place.column * 16u;
  let first = p.k_start == 0u;
  let b_at = unaligned((place.b + column * p.k + p.k_start * 16u) / 4u);
  let row0 = row + 0u;
  let a_step = p.a_k / 4u;
  let a0_at = unaligned((place.a + p.k_start * p.a_k + min(row + 0u, p.m - 4u)) / 4u);
  let c0_at = unaligned((place.c + row0 * p.c_row + column) / 4u);
  let row1 = row + 1u;
  let c1_at = unaligned((place.c + row1 * p.c_row + column) / 4u);
  let row2 = row + 2u;
  let c2_at = unaligned((place.c + row2 * p.c_row + column) / 4u);
  let row3 = row + 3u;
  let c3_at = unaligned((place.c + row3 * p.c_row + column) / 4u);
  let row4 = row + 4u;
  let a1_at = unaligned((place.a + p.k_start * p.a_k + min(row + 4u, p.m - 4u)) / 4u);
  let c4_at = unaligned((place.c + row4 * p.c_row + column) / 4u);
  let row5 = row + 5u;
  let c5_at = unaligned((place.c + row5 * p.c_row + column) / 4u);
  let row6 = row + 6u;
  let c6_at = unaligned((place.c + row6 * p.c_row + column) / 4u);
  let row7 = row + 7u;
  let c7_at = unaligned((place.c + row7 * p.c_row + column) / 4u);
  var c0_0 = 0.0;
  var c0_1 = 0.0;
  var c1_0 = 0.0;
  var c1_1 = 0.0;
  var c2_0 = 0.0;
  var c2_1 = 0.0;
  var c3_0 = 0.0;
  var c3_1 = 0.0;
  var c4_0 = 0.0;
  var c4_1 = 0.0;
  var c5_0 = 0.0;
  var c5_1 = 0.0;
  var c6_0 = 0.0;
  var c6_1 = 0.0;
  var c7_0 = 0.0;
  var c7_1 = 0.0;
  let b0_at = b_at + 0u;
  let b0_0 = pick_f16(b[b0_at + 0u], b[b0_at + 1u], lane);
  let b0_1 = pick_f16(b[b0_at + 2u], b[b0_at + 3u], lane);
  let a0_0 = pick_f16(a[a0_at + 0u * a_step], a[a0_at + 1u * a_step], lane);
  c0_0 = fma(subgroupBroadcast(a0_0, 0u), b0_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_0, 0u), b0_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_0, 1u), b0_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_0, 1u), b0_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_0, 2u), b0_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_0, 2u), b0_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_0, 3u), b0_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_0, 3u), b0_1, c3_1);
  let a1_0 = pick_f16(a[a1_at + 0u * a_step], a[a1_at + 1u * a_step], lane);
  c4_0 = fma(subgroupBroadcast(a1_0, 0u), b0_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_0, 0u), b0_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_0, 1u), b0_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_0, 1u), b0_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_0, 2u), b0_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_0, 2u), b0_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_0, 3u), b0_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_0, 3u), b0_1, c7_1);
  let b1_at = b_at + 4u;
  let b1_0 = pick_f16(b[b1_at + 0u], b[b1_at + 1u], lane);
  let b1_1 = pick_f16(b[b1_at + 2u], b[b1_at + 3u], lane);
  c0_0 = fma(subgroupBroadcast(a0_0, 4u), b1_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_0, 4u), b1_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_0, 5u), b1_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_0, 5u), b1_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_0, 6u), b1_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_0, 6u), b1_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_0, 7u), b1_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_0, 7u), b1_1, c3_1);
  c4_0 = fma(subgroupBroadcast(a1_0, 4u), b1_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_0, 4u), b1_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_0, 5u), b1_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_0, 5u), b1_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_0, 6u), b1_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_0, 6u), b1_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_0, 7u), b1_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_0, 7u), b1_1, c7_1);
  let b2_at = b_at + 8u;
  let b2_0 = pick_f16(b[b2_at + 0u], b[b2_at + 1u], lane);
  let b2_1 = pick_f16(b[b2_at + 2u], b[b2_at + 3u], lane);
  let a0_2 = pick_f16(a[a0_at + 2u * a_step], a[a0_at + 3u * a_step], lane);
  c0_0 = fma(subgroupBroadcast(a0_2, 0u), b2_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_2, 0u), b2_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_2, 1u), b2_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_2, 1u), b2_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_2, 2u), b2_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_2, 2u), b2_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_2, 3u), b2_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_2, 3u), b2_1, c3_1);
  let a1_2 = pick_f16(a[a1_at + 2u * a_step], a[a1_at + 3u * a_step], lane);
  c4_0 = fma(subgroupBroadcast(a1_2, 0u), b2_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_2, 0u), b2_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_2, 1u), b2_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_2, 1u), b2_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_2, 2u), b2_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_2, 2u), b2_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_2, 3u), b2_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_2, 3u), b2_1, c7_1);
  let b3_at = b_at + 12u;
  let b3_0 = pick_f16(b[b3_at + 0u], b[b3_at + 1u], lane);
  let b3_1 = pick_f16(b[b3_at + 2u], b[b3_at + 3u], lane);
  c0_0 = fma(subgroupBroadcast(a0_2, 4u), b3_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_2, 4u), b3_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_2, 5u), b3_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_2, 5u), b3_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_2, 6u), b3_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_2, 6u), b3_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_2, 7u), b3_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_2, 7u), b3_1, c3_1);
  c4_0 = fma(subgroupBroadcast(a1_2, 4u), b3_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_2, 4u), b3_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_2, 5u), b3_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_2, 5u), b3_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_2, 6u), b3_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_2, 6u), b3_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_2, 7u), b3_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_2, 7u), b3_1, c7_1);
  let b4_at = b_at + 16u;
  let b4_0 = pick_f16(b[b4_at + 0u], b[b4_at + 1u], lane);
  let b4_1 = pick_f16(b[b4_at + 2u], b[b4_at + 3u], lane);
  let a0_4 = pick_f16(a[a0_at + 4u * a_step], a[a0_at + 5u * a_step], lane);
  c0_0 = fma(subgroupBroadcast(a0_4, 0u), b4_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_4, 0u), b4_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_4, 1u), b4_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_4, 1u), b4_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_4, 2u), b4_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_4, 2u), b4_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_4, 3u), b4_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_4, 3u), b4_1, c3_1);
  let a1_4 = pick_f16(a[a1_at + 4u * a_step], a[a1_at + 5u * a_step], lane);
  c4_0 = fma(subgroupBroadcast(a1_4, 0u), b4_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_4, 0u), b4_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_4, 1u), b4_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_4, 1u), b4_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_4, 2u), b4_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_4, 2u), b4_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_4, 3u), b4_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_4, 3u), b4_1, c7_1);
  let b5_at = b_at + 20u;
  let b5_0 = pick_f16(b[b5_at + 0u], b[b5_at + 1u], lane);
  let b5_1 = pick_f16(b[b5_at + 2u], b[b5_at + 3u], lane);
  c0_0 = fma(subgroupBroadcast(a0_4, 4u), b5_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_4, 4u), b5_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_4, 5u), b5_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_4, 5u), b5_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_4, 6u), b5_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_4, 6u), b5_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_4, 7u), b5_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_4, 7u), b5_1, c3_1);
  c4_0 = fma(subgroupBroadcast(a1_4, 4u), b5_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_4, 4u), b5_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_4, 5u), b5_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_4, 5u), b5_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_4, 6u), b5_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_4, 6u), b5_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_4, 7u), b5_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_4, 7u), b5_1, c7_1);
  let b6_at = b_at + 24u;
  let b6_0 = pick_f16(b[b6_at + 0u], b[b6_at + 1u], lane);
  let b6_1 = pick_f16(b[b6_at + 2u], b[b6_at + 3u], lane);
  let a0_6 = pick_f16(a[a0_at + 6u * a_step], a[a0_at + 7u * a_step], lane);
  c0_0 = fma(subgroupBroadcast(a0_6, 0u), b6_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_6, 0u), b6_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_6, 1u), b6_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_6, 1u), b6_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_6, 2u), b6_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_6, 2u), b6_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_6, 3u), b6_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_6, 3u), b6_1, c3_1);
  let a1_6 = pick_f16(a[a1_at + 6u * a_step], a[a1_at + 7u * a_step], lane);
  c4_0 = fma(subgroupBroadcast(a1_6, 0u), b6_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_6, 0u), b6_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_6, 1u), b6_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_6, 1u), b6_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_6, 2u), b6_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_6, 2u), b6_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_6, 3u), b6_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_6, 3u), b6_1, c7_1);
  let b7_at = b_at + 28u;
  let b7_0 = pick_f16(b[b7_at + 0u], b[b7_at + 1u], lane);
  let b7_1 = pick_f16(b[b7_at + 2u], b[b7_at + 3u], lane);
  c0_0 = fma(subgroupBroadcast(a0_6, 4u), b7_0, c0_0);
  c0_1 = fma(subgroupBroadcast(a0_6, 4u), b7_1, c0_1);
  c1_0 = fma(subgroupBroadcast(a0_6, 5u), b7_0, c1_0);
  c1_1 = fma(subgroupBroadcast(a0_6, 5u), b7_1, c1_1);
  c2_0 = fma(subgroupBroadcast(a0_6, 6u), b7_0, c2_0);
  c2_1 = fma(subgroupBroadcast(a0_6, 6u), b7_1, c2_1);
  c3_0 = fma(subgroupBroadcast(a0_6, 7u), b7_0, c3_0);
  c3_1 = fma(subgroupBroadcast(a0_6, 7u), b7_1, c3_1);
  c4_0 = fma(subgroupBroadcast(a1_6, 4u), b7_0, c4_0);
  c4_1 = fma(subgroupBroadcast(a1_6, 4u), b7_1, c4_1);
  c5_0 = fma(subgroupBroadcast(a1_6, 5u), b7_0, c5_0);
  c5_1 = fma(subgroupBroadcast(a1_6, 5u), b7_1, c5_1);
  c6_0 = fma(subgroupBroadcast(a1_6, 6u), b7_0, c6_0);
  c6_1 = fma(subgroupBroadcast(a1_6, 6u), b7_1, c6_1);
  c7_0 = fma(subgroupBroadcast(a1_6, 7u), b7_0, c7_0);
  c7_1 = fma(subgroupBroadcast(a1_6, 7u), b7_1, c7_1);
  let b8_at = b_at + 32u;
  let b8_0 = pick_f16(b[b8_at + 0u], b[b8_at + 1u], lane);
  let b8_1 = pick_f16(b[b8_at + 2u], b[b8_at + 3u], lane);
  let a0_8 = vec4<f32>(a[a0_at + 8u * a_step]);
  c0_0 = fma(a0_8.x, b8_0, c0_0);
  c0_1 = fma(a0_8.x, b8_1, c0_1);
  c1_0 = fma(a0_8.y, b8_0, c1_0);
  c1_1 = fma(a0_8.y, b8_1, c1_1);
  c2_0 = fma(a0_8.z, b8_0, c2_0);
  c2_1 = fma(a0_8.z, b8_1, c2_1);
  c3_0 = fma(a0_8.w, b8_0, c3_0);
  c3_1 = fma(a0_8.w, b8_1, c3_1);
  let a1_8 = vec4<f32>(a[a1_at + 8u * a_step]);
  c4_0 = fma(a1_8.x, b8_0, c4_0);
  c4_1 = fma(a1_8.x, b8_1, c4_1);
  c5_0 = fma(a1_8.y, b8_0, c5_0);
  c5_1 = fma(a1_8.y, b8_1, c5_1);
  c6_0 = fma(a1_8.z, b8_0, c6_0);
  c6_1 = fma(a1_8.z, b8_1, c6_1);
  c7_0 = fma(a1_8.w, b8_0, c7_0);
  c7_1 = fma(a1_8.w, b8_1, c7_1);
  let b9_at = b_at + 36u;
  let b9_0 = pick_f16(b[b9_at + 0u], b[b9_at + 1u], lane);
  let b9_1 = pick_f16(b[b9_at + 2u], b[b9_at + 3u], lane);
  let a0_9 = vec4<f32>(a[a0_at + 9u * a_step]);
  c0_0 = fma(a0_9.x, b9_0, c0_0);
  c0_1 = fma(a0_9.x, b9_1, c0_1);
  c1_0 = fma(a0_9.y, b9_0, c1_0);
  c1_1 = fma(a0_9.y, b9_1, c1_1);
  c2_0 = fma(a0_9.z, b9_0, c2_0);
  c2_1 = fma(a0_9.z, b9_1, c2_1);
  c3_0 = fma(a0_9.w, b9_0, c3_0);
  c3_1 = fma(a0_9.w, b9_1, c3_1);
  let a1_9 = vec4<f32>(a[a1_at + 9u * a_step]);
  c4_0 = fma(a1_9.x, b9_0, c4_0);
  c4_1 = fma(a1_9.x, b9_1, c4_1);
  c5_0 = fma(a1_9.y, b9_0, c5_0);
  c5_1 = fma(a1_9.y, b9_1, c5_1);
  c6_0 = fma(a1_9.z, b9_0, c6_0);
  c6_1 = fma(a1_9.z, b9_1, c6_1);
  c7_0 = fma(a1_9.w, b9_0, c7_0);
  c7_1 = fma(a1_9.w, b9_1, c7_1);
  let b10_at = b_at + 40u;
  let b10_0 = pick_f16(b[b10_at + 0u], b[b10_at + 1u], lane);
  let b10_1 = pick_f16(b[b10_at + 2u], b[b10_at + 3u], lane);
  let a0_10 = vec4<f32>(a[a0_at + 10u * a_step]);
  c0_0 = fma(a0_10.x, b10_0, c0_0);
  c0_1 = fma(a0_10.x, b10_1, c0_1);
  c1_0 = fma(a0_10.y, b10_0, c1_0);
  c1_1 = fma(a0_10.y, b10_1, c1_1);
  c2_0 = fma(a0_10.z, b10_0, c2_0);
  c2_1 = fma(a0_10.z, b10_1, c2_1);
  c3_0 = fma(a0_10.w, b10_0, c3_0);
  c3_1 = fma(a0_10.w, b10_1, c3_1);
  let a1_10 = vec4<f32>(a[a1_at + 10u * a_step]);
  c4_0 = fma(a1_10.x, b10_0, c4_0);
  c4_1 = fma(a1_10.x, b10_1, c4_1);
  c5_0 = fma(a1_10.y, b10_0, c5_0);
  c5_1 = fma(a1_10.y, b10_1, c5_1);
  c6_0 = fma(a1_10.z, b10_0, c6_0);
  c6_1 = fma(a1_10.z, b10_1, c6_1);
  c7_0 = fma(a1_10.w, b10_0, c7_0);
  c7_1 = fma(a1_10.w, b10_1, c7_1);
  let b11_at = b_at + 44u;
  let b11_0 = pick_f16(b[b11_at + 0u], b[b11_at + 1u], lane);
  let b11_1 = pick_f16(b[b11_at + 2u], b[b11_at + 3u], lane);
  let a0_11 = vec4<f32>(a[a0_at + 11u * a_step]);
  c0_0 = fma(a0_11.x, b11_0, c0_0);
  c0_1 = fma(a0_11.x, b11_1, c0_1);
  c1_0 = fma(a0_11.y, b11_0, c1_0);
  c1_1 = fma(a0_11.y, b11_1, c1_1);
  c2_0 = fma(a0_11.z, b11_0, c2_0);
  c2_1 = fma(a0_11.z, b11_1, c2_1);
  c3_0 = fma(a0_11.w, b11_0, c3_0);
  c3_1 = fma(a0_11.w, b11_1, c3_1);
  let a1_11 = vec4<f32>(a[a1_at + 11u * a_step]);
  c4_0 = fma(a1_11.x, b11_0, c4_0);
  c4_1 = fma(a1_11.x, b11_1, c4_1);
  c5_0 = fma(a1_11.y, b11_0, c5_0);
  c5_1 = fma(a1_11.y, b11_1, c5_1);
  c6_0 = fma(a1_11.z, b11_0, c6_0);
  c6_1 = fma(a1_11.z, b11_1, c6_1);
  c7_0 = fma(a1_11.w, b11_0, c7_0);
  c7_1 = fma(a1_11.w, b11_1, c7_1);
  c0_0 += select(pick(c[c0_at + 0u], c[c0_at + 1u], lane), 0.0, first);
  c0_1 += select(pick(c[c0_at + 2u], c[c0_at + 3u], lane), 0.0, first);
  c1_0 += select(pick(c[c1_at + 0u], c[c1_at + 1u], lane), 0.0, first);
  c1_1 += select(pick(c[c1_at + 2u], c[c1_at + 3u], lane), 0.0, first);
  c2_0 += select(pick(c[c2_at + 0u], c[c2_at + 1u], lane), 0.0, first);
  c2_1 += select(pick(c[c2_at + 2u], c[c2_at + 3u], lane), 0.0, first);
  c3_0 += select(pick(c[c3_at + 0u], c[c3_at + 1u], lane), 0.0, first);
  c3_1 += select(pick(c[c3_at + 2u], c[c3_at + 3u], lane), 0.0, first);
  c4_0 += select(pick(c[c4_at + 0u], c[c4_at + 1u], lane), 0.0, first);
  c4_1 += select(pick(c[c4_at + 2u], c[c4_at + 3u], lane), 0.0, first);
  c5_0 += select(pick(c[c5_at + 0u], c[c5_at + 1u], lane), 0.0, first);
  c5_1 += select(pick(c[c5_at + 2u], c[c5_at + 3u], lane), 0.0, first);
  c6_0 += select(pick(c[c6_at + 0u], c[c6_at + 1u], lane), 0.0, first);
  c6_1 += select(pick(c[c6_at + 2u], c[c6_at + 3u], lane), 0.0, first);
  c7_0 += select(pick(c[c7_at + 0u], c[c7_at + 1u], lane), 0.0, first);
  c7_1 += select(pick(c[c7_at + 2u], c[c7_at + 3u], lane), 0.0, first);
  let v0_0 = low_lanes_f16(c0_0);
  if (subgroupBroadcast(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1 + c4_0 + c4_1 + c5_0 + c5_1 + c6_0 + c6_1 + c7_0 + c7_1, 0u) == 1.2345e37) {
    y[c0_at + 0u] = v0_0;
  }
  let v0_1 = high_lanes_f16(c0_0);
  let v0_2 = low_lanes_f16(c0_1);
  let v0_3 = high_lanes_f16(c0_1);
  let v1_0 = low_lanes_f16(c1_0);
  let v1_1 = high_lanes_f16(c1_0);
  let v1_2 = low_lanes_f16(c1_1);
  let v1_3 = high_lanes_f16(c1_1);
  let v2_0 = low_lanes_f16(c2_0);
  let v2_1 = high_lanes_f16(c2_0);
  let v2_2 = low_lanes_f16(c2_1);
  let v2_3 = high_lanes_f16(c2_1);
  let v3_0 = low_lanes_f16(c3_0);
  let v3_1 = high_lanes_f16(c3_0);
  let v3_2 = low_lanes_f16(c3_1);
  let v3_3 = high_lanes_f16(c3_1);
  let v4_0 = low_lanes_f16(c4_0);
  let v4_1 = high_lanes_f16(c4_0);
  let v4_2 = low_lanes_f16(c4_1);
  let v4_3 = high_lanes_f16(c4_1);
  let v5_0 = low_lanes_f16(c5_0);
  let v5_1 = high_lanes_f16(c5_0);
  let v5_2 = low_lanes_f16(c5_1);
  let v5_3 = high_lanes_f16(c5_1);
  let v6_0 = low_lanes_f16(c6_0);
  let v6_1 = high_lanes_f16(c6_0);
  let v6_2 = low_lanes_f16(c6_1);
  let v6_3 = high_lanes_f16(c6_1);
  let v7_0 = low_lanes_f16(c7_0);
  let v7_1 = high_lanes_f16(c7_0);
  let v7_2 = low_lanes_f16(c7_1);
  let v7_3 = high_lanes_f16(c7_1);
  y[c0_at + 0u] = v0_0;
  y[c0_at + 1u] = v0_1;
  y[c0_at + 2u] = v0_2;
  y[c0_at + 3u] = v0_3;
  y[c1_at + 0u] = v1_0;
  y[c1_at + 1u] = v1_1;
  y[c1_at + 2u] = v1_2;
  y[c1_at + 3u] = v1_3;
  y[c2_at + 0u] = v2_0;
  y[c2_at + 1u] = v2_1;
  y[c2_at + 2u] = v2_2;
  y[c2_at + 3u] = v2_3;
  y[c3_at + 0u] = v3_0;
  y[c3_at + 1u] = v3_1;
  y[c3_at + 2u] = v3_2;
  y[c3_at + 3u] = v3_3;
  y[c4_at + 0u] = v4_0;
  y[c4_at + 1u] = v4_1;
  y[c4_at + 2u] = v4_2;
  y[c4_at + 3u] = v4_3;
  y[c5_at + 0u] = v5_0;
  y[c5_at + 1u] = v5_1;
  y[c5_at + 2u] = v5_2;
  y[c5_at + 3u] = v5_3;
  y[c6_at + 0u] = v6_0;
  y[c6_at + 1u] = v6_1;
  y[c6_at + 2u] = v6_2;
  y[c6_at + 3u] = v6_3;
  y[c7_at + 0u] = v7_0;
  y[c7_at + 1u] = v7_1;
  y[c7_at + 2u] = v7_2;
  y[c7_at + 3u] = v7_3;
}
