// What products of bytes on matrices of subgroups (families/coop_text.cpp) have besides the sums of bytes: where operands lie, packed as
// integer_matmul/operand.wgsl does it, and zero points, which the sums of rows and columns take off. Everything wraps at 32 bits.
struct Batch {
  extent: u32,
  a_zero: u32,
  b_zero: u32,
  pad: u32,
}

struct Params {
  m: u32,
  n: u32,
  k: u32,  // words of a packed vector
  tiles: u32,  // of the whole batch
  row_tiles: u32,
  column_tiles: u32,
  a_row: u32,  // also k
  b_column: u32,
  a_k: u32,  // where the sums of A's rows begin
  b_k: u32,
  a_matrix: u32,  // words of one of A
  b_matrix: u32,  // 0 where one B is for all
  a_zero_row: u32,
  b_zero_column: u32,
  depth: u32,  // k in bytes, without padding
  c_row: u32,
  c_start: u32,  // column of C where column 0 of this B goes
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  batch: array<Batch, 4>,  // innermost first
}

struct Place {
  row: u32,  // tile of rows
  column: u32,  // tile of columns
  a: u32,  // first word of the batch's matrix
  b: u32,
  c: u32,
  a_zero: u32,
  b_zero: u32,
}

@group(0) @binding(0) var<storage, read> a: array<part>;
@group(0) @binding(1) var<storage, read> b: array<part>;
@group(0) @binding(2) var<storage, read> a_zeros: array<u32>;
@group(0) @binding(3) var<storage, read> b_zeros: array<u32>;
@group(0) @binding(4) var<storage, read_write> c: array<i32>;
@group(0) @binding(5) var<uniform> p: Params;

fn place_of(tile: u32) -> Place {
  let across = tile / p.row_tiles;
  let matrix = across / p.column_tiles;
  var place = Place(tile - across * p.row_tiles, across - matrix * p.column_tiles, matrix * p.a_matrix, matrix * p.b_matrix,
                    matrix * p.m * p.c_row + p.c_start, 0u, 0u);
  var rest = matrix;
  for (var d = 0u; d < 4u; d++) {
    let next = rest / p.batch[d].extent;
    let here = rest - next * p.batch[d].extent;
    place.a_zero += here * p.batch[d].a_zero;
    place.b_zero += here * p.batch[d].b_zero;
    rest = next;
  }
  return place;
}

// A zero point as the packed bytes have it.
fn zero_in(word: u32, at: u32, t: Stored, flipped: i32) -> i32 {
  return i32(number_of(code_in(word, at, t), t)) + flipped;
}

fn zero_of_a(at: u32) -> i32 {
  if (has_a_zero) {
    return zero_in(a_zeros[at >> 2u], at, a_type, a_flipped);
  }
  return a_flipped;
}

fn zero_of_b(at: u32) -> i32 {
  if (has_b_zero) {
    return zero_in(b_zeros[at >> 2u], at, b_type, b_flipped);
  }
  return b_flipped;
}

// The sum over k of (a - a zero) (b - b zero), from those of a b, of a and of b.
fn without_zeros(sum: i32, a_sum: i32, b_sum: i32, place: Place, row: u32, column: u32) -> i32 {
  let a_zero = zero_of_a(place.a_zero + row * p.a_zero_row);
  let b_zero = zero_of_b(place.b_zero + (p.c_start + column) * p.b_zero_column);
  return sum - a_zero * (b_sum - i32(p.depth) * b_zero) - b_zero * a_sum;
}
