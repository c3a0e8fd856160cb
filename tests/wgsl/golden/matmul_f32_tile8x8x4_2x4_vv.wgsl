const group_size: u32 = 8u;
alias elem = f32;

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

// A workgroup: 8 rows by 8 columns, 4 steps of k at a time; an invocation: 2 by 4.
@group(0) @binding(0) var<storage, read> a: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<elem>>;
@group(0) @binding(2) var<storage, read_write> c: array<elem>;
@group(0) @binding(3) var<uniform> p: Params;

var<workgroup> a_tile: array<vec4<f32>, 8>;  // rows, each four steps of k at a time
var<workgroup> b_tile: array<vec4<f32>, 8>;  // steps of k, each four columns at a time

fn load_a(base: u32, row: u32, k: u32) -> vec4<f32> {
  if (row >= p.m || k >= p.k) {
    return vec4<f32>();
  }
  return vec4<f32>(a[(base + row * p.a_row + k) / 4u]);
}

fn load_b(base: u32, k: u32, column: u32) -> vec4<f32> {
  if (k >= p.k || column >= p.n) {
    return vec4<f32>();
  }
  return vec4<f32>(b[(base + k * p.b_k + column) / 4u]);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  let across = lane % 2u;
  let down = lane / 2u;
  var c0_0 = vec4<f32>();
  var c1_0 = vec4<f32>();
  for (var k = 0u; k < p.k; k += 4u) {
    a_tile[lane + 0u] = load_a(place.a, place.row * 8u + (lane + 0u) / 1u, k + (lane + 0u) % 1u * 4u);
    b_tile[lane + 0u] = load_b(place.b, k + (lane + 0u) / 2u, place.column * 8u + (lane + 0u) % 2u * 4u);
    workgroupBarrier();
    for (var u = 0u; u < 1u; u++) {
      let a0 = a_tile[(down * 2u + 0u) * 1u + u];
      let a1 = a_tile[(down * 2u + 1u) * 1u + u];
      let b0_0 = b_tile[(u * 4u + 0u) * 2u + across + 0u];
      c0_0 = fma(vec4<f32>(a0.x), b0_0, c0_0);
      c1_0 = fma(vec4<f32>(a1.x), b0_0, c1_0);
      let b1_0 = b_tile[(u * 4u + 1u) * 2u + across + 0u];
      c0_0 = fma(vec4<f32>(a0.y), b1_0, c0_0);
      c1_0 = fma(vec4<f32>(a1.y), b1_0, c1_0);
      let b2_0 = b_tile[(u * 4u + 2u) * 2u + across + 0u];
      c0_0 = fma(vec4<f32>(a0.z), b2_0, c0_0);
      c1_0 = fma(vec4<f32>(a1.z), b2_0, c1_0);
      let b3_0 = b_tile[(u * 4u + 3u) * 2u + across + 0u];
      c0_0 = fma(vec4<f32>(a0.w), b3_0, c0_0);
      c1_0 = fma(vec4<f32>(a1.w), b3_0, c1_0);
    }
    workgroupBarrier();
  }
  let row = place.row * 8u + down * 2u;
  let column = place.column * 8u + across * 4u;
  if (row + 0u < p.m) {
    if (column + 0u < p.n) { c[place.c + (row + 0u) * p.c_row + column + 0u] = elem(c0_0.x); }
    if (column + 1u < p.n) { c[place.c + (row + 0u) * p.c_row + column + 1u] = elem(c0_0.y); }
    if (column + 2u < p.n) { c[place.c + (row + 0u) * p.c_row + column + 2u] = elem(c0_0.z); }
    if (column + 3u < p.n) { c[place.c + (row + 0u) * p.c_row + column + 3u] = elem(c0_0.w); }
  }
  if (row + 1u < p.m) {
    if (column + 0u < p.n) { c[place.c + (row + 1u) * p.c_row + column + 0u] = elem(c1_0.x); }
    if (column + 1u < p.n) { c[place.c + (row + 1u) * p.c_row + column + 1u] = elem(c1_0.y); }
    if (column + 2u < p.n) { c[place.c + (row + 1u) * p.c_row + column + 2u] = elem(c1_0.z); }
    if (column + 3u < p.n) { c[place.c + (row + 1u) * p.c_row + column + 3u] = elem(c1_0.w); }
  }
}
