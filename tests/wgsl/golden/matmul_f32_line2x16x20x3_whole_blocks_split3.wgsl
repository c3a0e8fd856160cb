enable subgroups;
const group_size: u32 = 48u;

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

// One subgroup: 2 rows by 16 columns, 20 steps of k.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c0: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> c1: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> c2: array<vec4<f32>>;

fn store(row: u32, column: u32, v: vec4<f32>) {
  if (column < p.second) {
    c0[(row * (p.second - 0u) + column - 0u) / 4u] = v;
    return;
  }
  if (column < p.third) {
    c1[(row * (p.third - p.second) + column - p.second) / 4u] = v;
    return;
  }
  c2[(row * (p.c_row - p.third) + column - p.third) / 4u] = v;
}

@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> sums: array<f32, 192>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let part = team / 2u;
  let near = team - part * 2u;
  let tile = flat_group(group, groups) * 2u + near;
  let place = place_in_one(min(tile, p.tiles - 1u));
  let row = place.row * 2u;
  let column = place.column * 16u;
  let k_start = part * 20u;
  let b_at = unaligned((place.b + column * p.k + k_start * 16u) / 4u);
  let a0_at = unaligned((place.a + min(row + 0u, p.m - 1u) * p.a_row + k_start) / 4u);
  let a1_at = unaligned((place.a + min(row + 1u, p.m - 1u) * p.a_row + k_start) / 4u);
  var c0_0 = 0.0;
  var c0_1 = 0.0;
  var c1_0 = 0.0;
  var c1_1 = 0.0;
  let b0_at = b_at + 0u;
  let b0_0 = pick(b[b0_at + 0u], b[b0_at + 1u], lane);
  let b0_1 = pick(b[b0_at + 2u], b[b0_at + 3u], lane);
  let a0_0 = a[a0_at + 0u];
  c0_0 = fma(a0_0.x, b0_0, c0_0);
  c0_1 = fma(a0_0.x, b0_1, c0_1);
  let a1_0 = a[a1_at + 0u];
  c1_0 = fma(a1_0.x, b0_0, c1_0);
  c1_1 = fma(a1_0.x, b0_1, c1_1);
  let b1_at = b_at + 4u;
  let b1_0 = pick(b[b1_at + 0u], b[b1_at + 1u], lane);
  let b1_1 = pick(b[b1_at + 2u], b[b1_at + 3u], lane);
  c0_0 = fma(a0_0.y, b1_0, c0_0);
  c0_1 = fma(a0_0.y, b1_1, c0_1);
  c1_0 = fma(a1_0.y, b1_0, c1_0);
  c1_1 = fma(a1_0.y, b1_1, c1_1);
  let b2_at = b_at + 8u;
  let b2_0 = pick(b[b2_at + 0u], b[b2_at + 1u], lane);
  let b2_1 = pick(b[b2_at + 2u], b[b2_at + 3u], lane);
  c0_0 = fma(a0_0.z, b2_0, c0_0);
  c0_1 = fma(a0_0.z, b2_1, c0_1);
  c1_0 = fma(a1_0.z, b2_0, c1_0);
  c1_1 = fma(a1_0.z, b2_1, c1_1);
  let b3_at = b_at + 12u;
  let b3_0 = pick(b[b3_at + 0u], b[b3_at + 1u], lane);
  let b3_1 = pick(b[b3_at + 2u], b[b3_at + 3u], lane);
  c0_0 = fma(a0_0.w, b3_0, c0_0);
  c0_1 = fma(a0_0.w, b3_1, c0_1);
  c1_0 = fma(a1_0.w, b3_0, c1_0);
  c1_1 = fma(a1_0.w, b3_1, c1_1);
  let b4_at = b_at + 16u;
  let b4_0 = pick(b[b4_at + 0u], b[b4_at + 1u], lane);
  let b4_1 = pick(b[b4_at + 2u], b[b4_at + 3u], lane);
  let a0_1 = a[a0_at + 1u];
  c0_0 = fma(a0_1.x, b4_0, c0_0);
  c0_1 = fma(a0_1.x, b4_1, c0_1);
  let a1_1 = a[a1_at + 1u];
  c1_0 = fma(a1_1.x, b4_0, c1_0);
  c1_1 = fma(a1_1.x, b4_1, c1_1);
  let b5_at = b_at + 20u;
  let b5_0 = pick(b[b5_at + 0u], b[b5_at + 1u], lane);
  let b5_1 = pick(b[b5_at + 2u], b[b5_at + 3u], lane);
  c0_0 = fma(a0_1.y, b5_0, c0_0);
  c0_1 = fma(a0_1.y, b5_1, c0_1);
  c1_0 = fma(a1_1.y, b5_0, c1_0);
  c1_1 = fma(a1_1.y, b5_1, c1_1);
  let b6_at = b_at + 24u;
  let b6_0 = pick(b[b6_at + 0u], b[b6_at + 1u], lane);
  let b6_1 = pick(b[b6_at + 2u], b[b6_at + 3u], lane);
  c0_0 = fma(a0_1.z, b6_0, c0_0);
  c0_1 = fma(a0_1.z, b6_1, c0_1);
  c1_0 = fma(a1_1.z, b6_0, c1_0);
  c1_1 = fma(a1_1.z, b6_1, c1_1);
  let b7_at = b_at + 28u;
  let b7_0 = pick(b[b7_at + 0u], b[b7_at + 1u], lane);
  let b7_1 = pick(b[b7_at + 2u], b[b7_at + 3u], lane);
  c0_0 = fma(a0_1.w, b7_0, c0_0);
  c0_1 = fma(a0_1.w, b7_1, c0_1);
  c1_0 = fma(a1_1.w, b7_0, c1_0);
  c1_1 = fma(a1_1.w, b7_1, c1_1);
  let b8_at = b_at + 32u;
  let b8_0 = pick(b[b8_at + 0u], b[b8_at + 1u], lane);
  let b8_1 = pick(b[b8_at + 2u], b[b8_at + 3u], lane);
  let a0_2 = a[a0_at + 2u];
  c0_0 = fma(a0_2.x, b8_0, c0_0);
  c0_1 = fma(a0_2.x, b8_1, c0_1);
  let a1_2 = a[a1_at + 2u];
  c1_0 = fma(a1_2.x, b8_0, c1_0);
  c1_1 = fma(a1_2.x, b8_1, c1_1);
  let b9_at = b_at + 36u;
  let b9_0 = pick(b[b9_at + 0u], b[b9_at + 1u], lane);
  let b9_1 = pick(b[b9_at + 2u], b[b9_at + 3u], lane);
  c0_0 = fma(a0_2.y, b9_0, c0_0);
  c0_1 = fma(a0_2.y, b9_1, c0_1);
  c1_0 = fma(a1_2.y, b9_0, c1_0);
  c1_1 = fma(a1_2.y, b9_1, c1_1);
  let b10_at = b_at + 40u;
  let b10_0 = pick(b[b10_at + 0u], b[b10_at + 1u], lane);
  let b10_1 = pick(b[b10_at + 2u], b[b10_at + 3u], lane);
  c0_0 = fma(a0_2.z, b10_0, c0_0);
  c0_1 = fma(a0_2.z, b10_1, c0_1);
  c1_0 = fma(a1_2.z, b10_0, c1_0);
  c1_1 = fma(a1_2.z, b10_1, c1_1);
  let b11_at = b_at + 44u;
  let b11_0 = pick(b[b11_at + 0u], b[b11_at + 1u], lane);
  let b11_1 = pick(b[b11_at + 2u], b[b11_at + 3u], lane);
  c0_0 = fma(a0_2.w, b11_0, c0_0);
  c0_1 = fma(a0_2.w, b11_1, c0_1);
  c1_0 = fma(a1_2.w, b11_0, c1_0);
  c1_1 = fma(a1_2.w, b11_1, c1_1);
  let b12_at = b_at + 48u;
  let b12_0 = pick(b[b12_at + 0u], b[b12_at + 1u], lane);
  let b12_1 = pick(b[b12_at + 2u], b[b12_at + 3u], lane);
  let a0_3 = a[a0_at + 3u];
  c0_0 = fma(a0_3.x, b12_0, c0_0);
  c0_1 = fma(a0_3.x, b12_1, c0_1);
  let a1_3 = a[a1_at + 3u];
  c1_0 = fma(a1_3.x, b12_0, c1_0);
  c1_1 = fma(a1_3.x, b12_1, c1_1);
  let b13_at = b_at + 52u;
  let b13_0 = pick(b[b13_at + 0u], b[b13_at + 1u], lane);
  let b13_1 = pick(b[b13_at + 2u], b[b13_at + 3u], lane);
  c0_0 = fma(a0_3.y, b13_0, c0_0);
  c0_1 = fma(a0_3.y, b13_1, c0_1);
  c1_0 = fma(a1_3.y, b13_0, c1_0);
  c1_1 = fma(a1_3.y, b13_1, c1_1);
  let b14_at = b_at + 56u;
  let b14_0 = pick(b[b14_at + 0u], b[b14_at + 1u], lane);
  let b14_1 = pick(b[b14_at + 2u], b[b14_at + 3u], lane);
  c0_0 = fma(a0_3.z, b14_0, c0_0);
  c0_1 = fma(a0_3.z, b14_1, c0_1);
  c1_0 = fma(a1_3.z, b14_0, c1_0);
  c1_1 = fma(a1_3.z, b14_1, c1_1);
  let b15_at = b_at + 60u;
  let b15_0 = pick(b[b15_at + 0u], b[b15_at + 1u], lane);
  let b15_1 = pick(b[b15_at + 2u], b[b15_at + 3u], lane);
  c0_0 = fma(a0_3.w, b15_0, c0_0);
  c0_1 = fma(a0_3.w, b15_1, c0_1);
  c1_0 = fma(a1_3.w, b15_0, c1_0);
  c1_1 = fma(a1_3.w, b15_1, c1_1);
  if (p.zero != 0u) {
    sums[lane + 0u] = c0_0;
    sums[lane + 8u] = c0_1;
    sums[lane + 16u] = c1_0;
    sums[lane + 24u] = c1_1;
  }
  let b16_at = b_at + 64u;
  let b16_0 = pick(b[b16_at + 0u], b[b16_at + 1u], lane);
  let b16_1 = pick(b[b16_at + 2u], b[b16_at + 3u], lane);
  let a0_4 = a[a0_at + 4u];
  c0_0 = fma(a0_4.x, b16_0, c0_0);
  c0_1 = fma(a0_4.x, b16_1, c0_1);
  let a1_4 = a[a1_at + 4u];
  c1_0 = fma(a1_4.x, b16_0, c1_0);
  c1_1 = fma(a1_4.x, b16_1, c1_1);
  let b17_at = b_at + 68u;
  let b17_0 = pick(b[b17_at + 0u], b[b17_at + 1u], lane);
  let b17_1 = pick(b[b17_at + 2u], b[b17_at + 3u], lane);
  c0_0 = fma(a0_4.y, b17_0, c0_0);
  c0_1 = fma(a0_4.y, b17_1, c0_1);
  c1_0 = fma(a1_4.y, b17_0, c1_0);
  c1_1 = fma(a1_4.y, b17_1, c1_1);
  let b18_at = b_at + 72u;
  let b18_0 = pick(b[b18_at + 0u], b[b18_at + 1u], lane);
  let b18_1 = pick(b[b18_at + 2u], b[b18_at + 3u], lane);
  c0_0 = fma(a0_4.z, b18_0, c0_0);
  c0_1 = fma(a0_4.z, b18_1, c0_1);
  c1_0 = fma(a1_4.z, b18_0, c1_0);
  c1_1 = fma(a1_4.z, b18_1, c1_1);
  let b19_at = b_at + 76u;
  let b19_0 = pick(b[b19_at + 0u], b[b19_at + 1u], lane);
  let b19_1 = pick(b[b19_at + 2u], b[b19_at + 3u], lane);
  c0_0 = fma(a0_4.w, b19_0, c0_0);
  c0_1 = fma(a0_4.w, b19_1, c0_1);
  c1_0 = fma(a1_4.w, b19_0, c1_0);
  c1_1 = fma(a1_4.w, b19_1, c1_1);
  if (p.zero != 0u) {
    sums[lane + 0u] = c0_0;
    sums[lane + 8u] = c0_1;
    sums[lane + 16u] = c1_0;
    sums[lane + 24u] = c1_1;
  }
  let sums_at = (near * 3u + part) * 32u + lane;
  sums[sums_at + 0u] = c0_0;
  sums[sums_at + 8u] = c0_1;
  sums[sums_at + 16u] = c1_0;
  sums[sums_at + 24u] = c1_1;
  workgroupBarrier();
  let unit0 = min(part * 2u + 0u, 3u);
  let row0 = row + unit0 / 2u;
  let column0 = column + unit0 % 2u * 8u;
  let in_row0 = min(row0, p.m - 1u);
  let from0 = near * 96u + unit0 * 8u + lane;
  var v0 = sums[from0];
  v0 += sums[from0 + 32u];
  v0 += sums[from0 + 64u];
  let c0_at = unaligned((place.c + in_row0 * p.c_row + column0) / 4u);
  let unit1 = min(part * 2u + 1u, 3u);
  let row1 = row + unit1 / 2u;
  let column1 = column + unit1 % 2u * 8u;
  let in_row1 = min(row1, p.m - 1u);
  let from1 = near * 96u + unit1 * 8u + lane;
  var v1 = sums[from1];
  v1 += sums[from1 + 32u];
  v1 += sums[from1 + 64u];
  let c1_at = unaligned((place.c + in_row1 * p.c_row + column1) / 4u);
  let v0_0 = low_lanes(v0);
  let v0_1 = high_lanes(v0);
  if (tile < p.tiles && part * 2u + 0u < 4u && row0 < p.m) {
    store(place.top + row0, p.c_start + column0 + 0u, v0_0);
    store(place.top + row0, p.c_start + column0 + 4u, v0_1);
  }
  let v1_0 = low_lanes(v1);
  let v1_1 = high_lanes(v1);
  if (tile < p.tiles && part * 2u + 1u < 4u && row1 < p.m) {
    store(place.top + row1, p.c_start + column1 + 0u, v1_0);
    store(place.top + row1, p.c_start + column1 + 4u, v1_1);
  }
}
