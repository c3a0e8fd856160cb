const group_size: u32 = 64u;
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

// An invocation: one element of C.
@group(0) @binding(0) var<storage, read> sums: array<f32>;
@group(0) @binding(1) var<storage, read_write> c0: array<elem>;
@group(0) @binding(2) var<storage, read_write> c1: array<elem>;
@group(0) @binding(3) var<storage, read_write> c2: array<elem>;

fn store(row: u32, column: u32, v: elem) {
  if (column < p.second) {
    c0[row * (p.second - 0u) + column - 0u] = v;
    return;
  }
  if (column < p.third) {
    c1[row * (p.third - p.second) + column - p.second] = v;
    return;
  }
  c2[row * (p.c_row - p.third) + column - p.third] = v;
}

@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.part_size) {
    return;
  }
  let below = i / p.n;
  let column = i - below * p.n;
  let batch = below / p.m;
  let row = below - batch * p.m;
  let place = Place(0u, 0u, 0u, 0u, batch * p.m * p.c_row, batch * p.m);
  var sum = sums[i];
  for (var k_part = 1u; k_part < p.parts; k_part++) {
    sum += sums[k_part * p.part_size + i];
  }
  store(place.top + (row), p.c_start + column, elem(sum));
}
