enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
const group_size: u32 = 32u;
alias part = i32;

// Grids. A dispatch of more groups than one dimension holds spills to y and z (grid_of in plugin/gpu/family.cpp); the
// flat index of a group can exceed the number wanted, so every entry point compares with its own count.
fn flat_group(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return (group.z * groups.y + group.y) * groups.x + group.x;
}

// Elements of any type up to 32 bits as f32, and back. Storage is words, elements lie in them from the lowest bits on. A type is a constant
// of the program (families/stored_type.cpp), so compilers leave of all this the few steps that it needs. Infinities, NaN and denormals
// are made and told as bits: WGSL promises nothing else.
struct Stored {
  kind: u32,
  bits: u32,
  fraction: u32,  // small floats: bits of it; powers: how to round
  bias: u32,
  largest: u32,  // code of the largest number
  infinity: u32,  // its code, 0 where there is none
  nan: u32,
  one_zero: bool,  // -0 is no number but NaN
  saturates: bool,  // what is too large becomes the largest number
}

const kind_f32 = 0u;
const kind_signed = 1u;
const kind_unsigned = 2u;
const kind_bool = 3u;
const kind_bf16 = 4u;
const kind_small = 5u;  // floats of 16, 8 and 4 bits: host_fallback/small_float.h
const kind_power = 6u;  // f8_e8m0fnu

fn per_word(t: Stored) -> u32 {
  return 32u / t.bits;
}

// Element `at` of an array, of which word at / per_word(t) is given.
fn code_in(word: u32, at: u32, t: Stored) -> u32 {
  return (word >> ((at & (per_word(t) - 1u)) * t.bits)) & (0xffffffffu >> (32u - t.bits));
}

fn small_number(code: u32, t: Stored) -> f32 {
  let sign = 1u << (t.bits - 1u);
  let magnitude = code & (sign - 1u);
  let tiny = bitcast<u32>(f32(magnitude) * bitcast<f32>((128u - t.bias - t.fraction) << 23u));
  let normal = (magnitude << (23u - t.fraction)) + ((127u - t.bias) << 23u);
  let special = select(0x7fc00000u, 0x7f800000u, t.infinity != 0u && magnitude == t.infinity);
  let finite = select(normal, tiny, (magnitude >> t.fraction) == 0u);
  let bits = select(finite, special, magnitude > t.largest || (t.one_zero && code == sign));
  return bitcast<f32>(bits | select(0u, 0x80000000u, code >= sign));
}

fn number_of(code: u32, t: Stored) -> f32 {
  let unused = 32u - t.bits;
  switch (t.kind) {
    case kind_f32: {
      return bitcast<f32>(code);
    }
    case kind_signed: {
      return f32(bitcast<i32>(code << unused) >> unused);
    }
    case kind_unsigned: {
      return f32(code);
    }
    case kind_bool: {
      return f32(min(code, 1u));
    }
    case kind_bf16: {
      return bitcast<f32>(code << 16u);
    }
    case kind_power: {
      return bitcast<f32>(select(select(code << 23u, 0x00400000u, code == 0u), 0x7fc00000u, code == 255u));
    }
    default: {
      return small_number(code, t);
    }
  }
}

// To the nearest, ties to even.
fn small_code(x: f32, t: Stored) -> u32 {
  let magnitude = bitcast<u32>(x) & 0x7fffffffu;
  let sign = select(0u, 1u << (t.bits - 1u), bitcast<u32>(x) >= 0x80000000u);
  if (magnitude > 0x7f800000u) {
    return t.nan ^ select(sign, 0u, t.one_zero);
  }
  let shift = 23u - t.fraction;
  let rounding = (1u << (shift - 1u)) - 1u + ((magnitude >> shift) & 1u);
  let normal = ((magnitude + rounding) >> shift) - ((127u - t.bias) << t.fraction);
  // Not for infinity, which is no number to convert.
  let below = min(bitcast<f32>(magnitude), bitcast<f32>((128u - t.bias) << 23u));
  let tiny = u32(round(below * bitcast<f32>((126u + t.bias + t.fraction) << 23u)));
  let code = select(normal, tiny, (magnitude >> 23u) < 128u - t.bias);
  if (code <= t.largest) {
    return select(code | sign, code, t.one_zero && code == 0u);
  }
  if (t.saturates) {
    return t.largest | sign;
  }
  return select(t.nan ^ select(sign, 0u, t.one_zero), t.infinity | sign, t.infinity != 0u);
}

// Fractions are cut off, NaN is 0, what is too large for an i32 the largest (the conversion alone stops below it); low bits remain.
fn integer_code(x: f32, t: Stored) -> u32 {
  let nan = (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
  let whole = select(i32(x), 2147483647, x >= 2147483648.0);
  return bitcast<u32>(select(whole, 0, nan)) & (0xffffffffu >> (32u - t.bits));
}

fn bf16_code(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return select((bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u, (bits >> 16u) | 0x40u, nan);
}

fn power_code(x: f32, t: Stored) -> u32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let beyond = select(255u, 254u, t.saturates);
  if (bits > 0x7f800000u) {
    return 255u;
  }
  if (bits < 0x00400000u) {
    return select(255u, 0u, t.saturates);
  }
  let denormal = bits < 0x00800000u;  // the interval from 2^-127 on, whose fraction has one bit less
  let fraction = bits & select(0x007fffffu, 0x003fffffu, denormal);
  let up = (t.fraction == 0u && fraction != 0u) || (t.fraction == 2u && fraction >= select(0x00400000u, 0x00200000u, denormal));
  let code = (bits >> 23u) + select(0u, 1u, up);
  return select(beyond, code, code < 255u);
}

fn code_of(x: f32, t: Stored) -> u32 {
  switch (t.kind) {
    case kind_f32: {
      return bitcast<u32>(x);
    }
    case kind_signed, kind_unsigned: {
      return integer_code(x, t);
    }
    case kind_bool: {
      return select(0u, 1u, (bitcast<u32>(x) & 0x7fffffffu) != 0u);
    }
    case kind_bf16: {
      return bf16_code(x);
    }
    case kind_power: {
      return power_code(x, t);
    }
    default: {
      return small_code(x, t);
    }
  }
}
const a_type = Stored(kind_unsigned, 8u, 0u, 0u, 0u, 0u, 0u, false, true);
const b_type = Stored(kind_signed, 8u, 0u, 0u, 0u, 0u, 0u, false, true);
const has_a_zero = true;
const has_b_zero = false;
const a_flipped = -128;
const b_flipped = 0;

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

// A subgroup: 1 by 2 matrices of 16 x 16, 32 steps of k at a time; a workgroup: 1 by 1 subgroups.
var<workgroup> staged: array<i32, 256>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) lanes: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  let works = team < 1u;  // there are more where subgroups are smaller than the largest
  let place_in_group = min(team, 0u);
  let first_row = (place.row * 1u + place_in_group / 1u) * 16u;
  let first_column = (place.column * 1u + place_in_group % 1u) * 32u;
  let a_at = place.a + first_row * p.a_row;
  let b_at = place.b + first_column * p.b_column;
  let a_numbers = p.a_k + place.a / p.a_row;
  let b_numbers = p.b_k + place.b / p.b_column;
  let staged_at = place_in_group * 256u;
  var c0_0: subgroup_matrix_result<i32, 16, 16>;
  var c0_1: subgroup_matrix_result<i32, 16, 16>;
  for (var k = 0u; k < p.k; k += 8u) {
    let a0 = subgroupMatrixLoad<subgroup_matrix_left<i8, 32, 16>, row_major>(&a, a_at + 0u * p.a_row + k, p.a_row);
    let b0 = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 32>, col_major>(&b, b_at + 0u * p.b_column + k, p.b_column);
    c0_0 = subgroupMatrixMultiplyAccumulate(a0, b0, c0_0);
    let b1 = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 32>, col_major>(&b, b_at + 16u * p.b_column + k, p.b_column);
    c0_1 = subgroupMatrixMultiplyAccumulate(a0, b1, c0_1);
  }
  if (works) { subgroupMatrixStore<row_major>(&staged, staged_at, c0_0, 16u); }
  workgroupBarrier();
  for (var e = select(256u, lane, works); e < 256u; e += lanes) {
    let row = first_row + 0u + e / 16u;
    let column = first_column + 0u + e % 16u;
    if (row < p.m && column < p.n) {
      c[place.c + row * p.c_row + column] = without_zeros(i32(staged[staged_at + e]), i32(a[a_numbers + row]), i32(b[b_numbers + column]), place, row, column);
    }
  }
  workgroupBarrier();
  if (works) { subgroupMatrixStore<row_major>(&staged, staged_at, c0_1, 16u); }
  workgroupBarrier();
  for (var e = select(256u, lane, works); e < 256u; e += lanes) {
    let row = first_row + 0u + e / 16u;
    let column = first_column + 16u + e % 16u;
    if (row < p.m && column < p.n) {
      c[place.c + row * p.c_row + column] = without_zeros(i32(staged[staged_at + e]), i32(a[a_numbers + row]), i32(b[b_numbers + column]), place, row, column);
    }
  }
  workgroupBarrier();
}
