enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
const group_size: u32 = 64u;
alias part = f16;
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

// The sum of scaled products as it is without the scales of its row and column. In two steps: the power of two may be more than f32 holds
// where the result is not.
fn unscaled(sum: f32, row: part, column: part) -> f32 {
  let exponent = i32(row) + i32(column);
  let half = exponent / 2;
  return sum * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(exponent - half + 127) << 23u);
}

// A subgroup: 2 by 1 matrices of 16 x 8, 32 steps of k at a time; a workgroup: 1 by 2 subgroups.
@group(0) @binding(0) var<storage, read> a: array<part>;
@group(0) @binding(1) var<storage, read> b: array<part>;
@group(0) @binding(2) var<storage, read> d: array<elem>;
@group(0) @binding(3) var<storage, read_write> c: array<elem>;
@group(0) @binding(4) var<uniform> p: Params;

var<workgroup> staged: array<f32, 256>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) lanes: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  let works = team < 2u;  // there are more where subgroups are smaller than the largest
  let place_in_group = min(team, 1u);
  let first_row = (place.row * 1u + place_in_group / 2u) * 32u;
  let first_column = (place.column * 2u + place_in_group % 2u) * 8u;
  let a_at = place.a + first_row * p.a_row;
  let b_at = place.b + first_column * p.b_column;
  let a_numbers = p.a_k + place.a / p.a_row;
  let b_numbers = p.b_k + place.b / p.b_column;
  let staged_at = place_in_group * 128u;
  var c0_0: subgroup_matrix_result<f32, 8, 16>;
  var c1_0: subgroup_matrix_result<f32, 8, 16>;
  for (var k = 0u; k < p.k; k += 32u) {
    let a0 = subgroupMatrixLoad<subgroup_matrix_left<f16, 32, 16>, row_major>(&a, a_at + 0u * p.a_row + k, p.a_row);
    let a1 = subgroupMatrixLoad<subgroup_matrix_left<f16, 32, 16>, row_major>(&a, a_at + 16u * p.a_row + k, p.a_row);
    let b0 = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 32>, col_major>(&b, b_at + 0u * p.b_column + k, p.b_column);
    c0_0 = subgroupMatrixMultiplyAccumulate(a0, b0, c0_0);
    c1_0 = subgroupMatrixMultiplyAccumulate(a1, b0, c1_0);
  }
  if (works) { subgroupMatrixStore<row_major>(&staged, staged_at, c0_0, 8u); }
  workgroupBarrier();
  for (var e = select(128u, lane, works); e < 128u; e += lanes) {
    let row = first_row + 0u + e / 8u;
    let column = first_column + 0u + e % 8u;
    if (row < p.m && column < p.n) {
      let sum = unscaled(f32(staged[staged_at + e]), a[a_numbers + row], b[b_numbers + column]);
      c[place.c + (row) * p.c_row + column] = elem(fma(p.beta, f32(d[(row) * p.d_row + (p.c_start + column) * p.d_column]), p.alpha * sum));
    }
  }
  workgroupBarrier();
  if (works) { subgroupMatrixStore<row_major>(&staged, staged_at, c1_0, 8u); }
  workgroupBarrier();
  for (var e = select(128u, lane, works); e < 128u; e += lanes) {
    let row = first_row + 16u + e / 8u;
    let column = first_column + 0u + e % 8u;
    if (row < p.m && column < p.n) {
      let sum = unscaled(f32(staged[staged_at + e]), a[a_numbers + row], b[b_numbers + column]);
      c[place.c + (row) * p.c_row + column] = elem(fma(p.beta, f32(d[(row) * p.d_row + (p.c_start + column) * p.d_column]), p.alpha * sum));
    }
  }
  workgroupBarrier();
}
