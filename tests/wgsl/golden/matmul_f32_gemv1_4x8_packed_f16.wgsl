enable f16;
const group_size: u32 = 32u;
alias elem = f32;
alias stored = f16;

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

// A workgroup: 4 columns of up to 1 rows; 8 invocations share a sum.
@group(0) @binding(0) var<storage, read> a: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<stored>>;
@group(0) @binding(2) var<storage, read_write> c: array<elem>;
@group(0) @binding(3) var<uniform> p: Params;

var<workgroup> sums: array<f32, 32>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  let column = lane / 8u;
  let part = lane % 8u;
  let vector = min(place.column * 4u + column, p.n - 1u);
  let b_at = vector * p.b_column;
  let exponent = i32(b[p.b_k + vector / 4u][vector % 4u]);
  let scale = bitcast<f32>(u32(exponent + 126) << 23u);
  let a0_at = (place.a + min(0u, p.m - 1u) * p.a_row) / 4u;
  var c0 = vec4<f32>();
  let end = (p.k + 3u) / 4u;
  var k = part;
  for (; k + 24u < end; k += 32u) {
    let b0 = vec4<f32>(b[b_at + k + 0u]) * scale;
    let b1 = vec4<f32>(b[b_at + k + 8u]) * scale;
    let b2 = vec4<f32>(b[b_at + k + 16u]) * scale;
    let b3 = vec4<f32>(b[b_at + k + 24u]) * scale;
    c0 = fma(vec4<f32>(a[a0_at + k + 0u]), b0, c0);
    c0 = fma(vec4<f32>(a[a0_at + k + 8u]), b1, c0);
    c0 = fma(vec4<f32>(a[a0_at + k + 16u]), b2, c0);
    c0 = fma(vec4<f32>(a[a0_at + k + 24u]), b3, c0);
  }
  for (; k < end; k += 8u) {
    let b0 = vec4<f32>(b[b_at + k + 0u]) * scale;
    c0 = fma(vec4<f32>(a[a0_at + k + 0u]), b0, c0);
  }
  sums[(0u + column) * 8u + part] = 2.0 * ((c0.x + c0.y) + (c0.z + c0.w));
  workgroupBarrier();
  for (var i = lane; i < 4u; i += group_size) {
    let row = i / 4u;
    let at = place.column * 4u + i % 4u;
    var sum = 0.0;
    for (var j = 0u; j < 8u; j++) {
      sum += sums[i * 8u + j];
    }
    if (row < p.m && at < p.n) { c[place.c + (row) * p.c_row + at] = elem(sum); }
  }
}
