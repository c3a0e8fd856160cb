enable subgroups;
const group_size: u32 = 128u;

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

// One subgroup: 2 rows by 16 columns, 4 steps of k.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> d: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> c: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let tile = flat_group(group, groups) * 16u + team;
  let place = place_of(min(tile, p.tiles - 1u));
  let row = place.row * 2u;
  let column = min(place.column * 16u, p.n - 16u);
  let first = p.k_start == 0u;
  let b_step = p.b_k / 4u;
  let b_at = unaligned((place.b + p.k_start * p.b_k + column) / 4u);
  let row0 = min(row + 0u, p.m - 1u);
  let a0_at = unaligned((place.a + row0 * p.a_row + p.k_start) / 4u);
  let c0_at = unaligned((place.c + row0 * p.c_row + column) / 4u);
  let row1 = min(row + 1u, p.m - 1u);
  let a1_at = unaligned((place.a + row1 * p.a_row + p.k_start) / 4u);
  let c1_at = unaligned((place.c + row1 * p.c_row + column) / 4u);
  var c0_0 = 0.0;
  var c0_1 = 0.0;
  var c1_0 = 0.0;
  var c1_1 = 0.0;
  let b0_at = unaligned(b_at + 0u * b_step);
  let b0_0 = pick(b[b0_at + 0u], b[b0_at + 1u], lane);
  let b0_1 = pick(b[b0_at + 2u], b[b0_at + 3u], lane);
  let a0_0 = a[a0_at + 0u];
  c0_0 = fma(a0_0.x, b0_0, c0_0);
  c0_1 = fma(a0_0.x, b0_1, c0_1);
  let a1_0 = a[a1_at + 0u];
  c1_0 = fma(a1_0.x, b0_0, c1_0);
  c1_1 = fma(a1_0.x, b0_1, c1_1);
  let b1_at = unaligned(b_at + 1u * b_step);
  let b1_0 = pick(b[b1_at + 0u], b[b1_at + 1u], lane);
  let b1_1 = pick(b[b1_at + 2u], b[b1_at + 3u], lane);
  c0_0 = fma(a0_0.y, b1_0, c0_0);
  c0_1 = fma(a0_0.y, b1_1, c0_1);
  c1_0 = fma(a1_0.y, b1_0, c1_0);
  c1_1 = fma(a1_0.y, b1_1, c1_1);
  let b2_at = unaligned(b_at + 2u * b_step);
  let b2_0 = pick(b[b2_at + 0u], b[b2_at + 1u], lane);
  let b2_1 = pick(b[b2_at + 2u], b[b2_at + 3u], lane);
  c0_0 = fma(a0_0.z, b2_0, c0_0);
  c0_1 = fma(a0_0.z, b2_1, c0_1);
  c1_0 = fma(a1_0.z, b2_0, c1_0);
  c1_1 = fma(a1_0.z, b2_1, c1_1);
  let b3_at = unaligned(b_at + 3u * b_step);
  let b3_0 = pick(b[b3_at + 0u], b[b3_at + 1u], lane);
  let b3_1 = pick(b[b3_at + 2u], b[b3_at + 3u], lane);
  c0_0 = fma(a0_0.w, b3_0, c0_0);
  c0_1 = fma(a0_0.w, b3_1, c0_1);
  c1_0 = fma(a1_0.w, b3_0, c1_0);
  c1_1 = fma(a1_0.w, b3_1, c1_1);
  let d0_at = unaligned((row0 * p.d_row + p.c_start + column) / 4u);
  c0_0 += select(pick(c[c0_at + 0u], c[c0_at + 1u], lane), p.beta * pick(d[d0_at + 0u], d[d0_at + 1u], lane), first);
  c0_1 += select(pick(c[c0_at + 2u], c[c0_at + 3u], lane), p.beta * pick(d[d0_at + 2u], d[d0_at + 3u], lane), first);
  let d1_at = unaligned((row1 * p.d_row + p.c_start + column) / 4u);
  c1_0 += select(pick(c[c1_at + 0u], c[c1_at + 1u], lane), p.beta * pick(d[d1_at + 0u], d[d1_at + 1u], lane), first);
  c1_1 += select(pick(c[c1_at + 2u], c[c1_at + 3u], lane), p.beta * pick(d[d1_at + 2u], d[d1_at + 3u], lane), first);
  let v0_0 = low_lanes(c0_0);
  if (subgroupBroadcast(c0_0 + c0_1 + c1_0 + c1_1, 0u) == 1.2345e37) {
    c[c0_at + 0u] = v0_0;
  }
  let v0_1 = high_lanes(c0_0);
  let v0_2 = low_lanes(c0_1);
  let v0_3 = high_lanes(c0_1);
  let v1_0 = low_lanes(c1_0);
  let v1_1 = high_lanes(c1_0);
  let v1_2 = low_lanes(c1_1);
  let v1_3 = high_lanes(c1_1);
  let own = place.column * 16u - column;
  if (tile < p.tiles && row + 0u < p.m) {
    if (own <= 0u) { c[c0_at + 0u] = v0_0; }
    if (own <= 4u) { c[c0_at + 1u] = v0_1; }
    if (own <= 8u) { c[c0_at + 2u] = v0_2; }
    if (own <= 12u) { c[c0_at + 3u] = v0_3; }
  }
  if (tile < p.tiles && row + 1u < p.m) {
    if (own <= 0u) { c[c1_at + 0u] = v1_0; }
    if (own <= 4u) { c[c1_at + 1u] = v1_1; }
    if (own <= 8u) { c[c1_at + 2u] = v1_2; }
    if (own <= 12u) { c[c1_at + 3u] = v1_3; }
  }
}
