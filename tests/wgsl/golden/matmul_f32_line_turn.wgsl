enable subgroups;
const group_size: u32 = 128u;
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

// One subgroup: 16 columns of B, 4 steps of k.
@group(0) @binding(0) var<storage, read> b: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read_write> turned: array<vec4<elem>>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32) {
  let place = place_of(min(flat_group(group, groups) * 16u + team, p.tiles - 1u));
  let column = min(place.column * 16u, p.n - 16u);
  let read_at = unaligned((place.b + column * p.b_column) / 4u + place.row);
  let step = p.b_column / 4u;
  let write_at = unaligned((place.a + place.column * 16u * p.k) / 4u + place.row * 16u);
  let b0 = b[read_at + 0u * step];
  let b1 = b[read_at + 1u * step];
  let b2 = b[read_at + 2u * step];
  let b3 = b[read_at + 3u * step];
  let b4 = b[read_at + 4u * step];
  let b5 = b[read_at + 5u * step];
  let b6 = b[read_at + 6u * step];
  let b7 = b[read_at + 7u * step];
  let b8 = b[read_at + 8u * step];
  let b9 = b[read_at + 9u * step];
  let b10 = b[read_at + 10u * step];
  let b11 = b[read_at + 11u * step];
  let b12 = b[read_at + 12u * step];
  let b13 = b[read_at + 13u * step];
  let b14 = b[read_at + 14u * step];
  let b15 = b[read_at + 15u * step];
  turned[write_at + 0u] = vec4<elem>(b0.x, b1.x, b2.x, b3.x);
  turned[write_at + 1u] = vec4<elem>(b4.x, b5.x, b6.x, b7.x);
  turned[write_at + 2u] = vec4<elem>(b8.x, b9.x, b10.x, b11.x);
  turned[write_at + 3u] = vec4<elem>(b12.x, b13.x, b14.x, b15.x);
  turned[write_at + 4u] = vec4<elem>(b0.y, b1.y, b2.y, b3.y);
  turned[write_at + 5u] = vec4<elem>(b4.y, b5.y, b6.y, b7.y);
  turned[write_at + 6u] = vec4<elem>(b8.y, b9.y, b10.y, b11.y);
  turned[write_at + 7u] = vec4<elem>(b12.y, b13.y, b14.y, b15.y);
  turned[write_at + 8u] = vec4<elem>(b0.z, b1.z, b2.z, b3.z);
  turned[write_at + 9u] = vec4<elem>(b4.z, b5.z, b6.z, b7.z);
  turned[write_at + 10u] = vec4<elem>(b8.z, b9.z, b10.z, b11.z);
  turned[write_at + 11u] = vec4<elem>(b12.z, b13.z, b14.z, b15.z);
  turned[write_at + 12u] = vec4<elem>(b0.w, b1.w, b2.w, b3.w);
  turned[write_at + 13u] = vec4<elem>(b4.w, b5.w, b6.w, b7.w);
  turned[write_at + 14u] = vec4<elem>(b8.w, b9.w, b10.w, b11.w);
  turned[write_at + 15u] = vec4<elem>(b12.w, b13.w, b14.w, b15.w);
}
