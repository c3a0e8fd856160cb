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

// Each lane owns 2 columns, 8 apart, of a tile of 2 rows; sums are f32 in registers.
@group(0) @binding(0) var<storage, read> a: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<elem>>;
@group(0) @binding(2) var<storage, read> d: array<elem>;
@group(0) @binding(3) var<storage, read_write> c: array<elem>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  let row = place.row * 2u;
  let column = place.column * 16u + lane;
  var a0_at = (place.a + min(row + 0u, p.m - 1u) * p.a_row) / 4u;
  var a1_at = (place.a + min(row + 1u, p.m - 1u) * p.a_row) / 4u;
  var b0_at = (place.b + min(column + 0u, p.n - 1u) * p.b_column) / 4u;
  var b1_at = (place.b + min(column + 8u, p.n - 1u) * p.b_column) / 4u;
  var c0_0 = 0.0;
  var c0_1 = 0.0;
  var c1_0 = 0.0;
  var c1_1 = 0.0;
  for (var k = 0u; k < p.k; k += 4u) {
    let a0 = vec4<f32>(a[a0_at]);
    let a1 = vec4<f32>(a[a1_at]);
    a0_at += 1u;
    a1_at += 1u;
    let b0 = vec4<f32>(b[b0_at]);
    let b1 = vec4<f32>(b[b1_at]);
    b0_at += 1u;
    b1_at += 1u;
    c0_0 = fma(a0.x, b0.x, c0_0);
    c0_1 = fma(a0.x, b1.x, c0_1);
    c1_0 = fma(a1.x, b0.x, c1_0);
    c1_1 = fma(a1.x, b1.x, c1_1);
    c0_0 = fma(a0.y, b0.y, c0_0);
    c0_1 = fma(a0.y, b1.y, c0_1);
    c1_0 = fma(a1.y, b0.y, c1_0);
    c1_1 = fma(a1.y, b1.y, c1_1);
    c0_0 = fma(a0.z, b0.z, c0_0);
    c0_1 = fma(a0.z, b1.z, c0_1);
    c1_0 = fma(a1.z, b0.z, c1_0);
    c1_1 = fma(a1.z, b1.z, c1_1);
    c0_0 = fma(a0.w, b0.w, c0_0);
    c0_1 = fma(a0.w, b1.w, c0_1);
    c1_0 = fma(a1.w, b0.w, c1_0);
    c1_1 = fma(a1.w, b1.w, c1_1);
  }
  if (row + 0u < p.m) {
    if (column + 0u < p.n) { c[place.c + (row + 0u) * p.c_row + column + 0u] = elem(fma(p.beta, f32(d[(row + 0u) * p.d_row + (p.c_start + column + 0u) * p.d_column]), c0_0)); }
    if (column + 8u < p.n) { c[place.c + (row + 0u) * p.c_row + column + 8u] = elem(fma(p.beta, f32(d[(row + 0u) * p.d_row + (p.c_start + column + 8u) * p.d_column]), c0_1)); }
  }
  if (row + 1u < p.m) {
    if (column + 0u < p.n) { c[place.c + (row + 1u) * p.c_row + column + 0u] = elem(fma(p.beta, f32(d[(row + 1u) * p.d_row + (p.c_start + column + 0u) * p.d_column]), c1_0)); }
    if (column + 8u < p.n) { c[place.c + (row + 1u) * p.c_row + column + 8u] = elem(fma(p.beta, f32(d[(row + 1u) * p.d_row + (p.c_start + column + 8u) * p.d_column]), c1_1)); }
  }
}
