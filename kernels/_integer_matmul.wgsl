// y = finish(sum over k of (a - a zero) (b - b zero)) for bytes, with full broadcasting of the batch and of the numbers that belong to rows
// or columns: strides for each of `dims` collapsed dimensions of [batch, m, n], innermost first. One invocation computes four neighbours of
// the result. One file gives `sums_of`: of bytes anywhere, or of words where rows of both are whole words. Another has `finish`.
struct Dim {
  extent: u32,
  inverse: f32,
  a: u32,
  b: u32,
  a_zero: u32,
  b_zero: u32,
  a_scale: u32,
  b_scale: u32,
}

struct Params {
  count: u32,
  k: u32,
  n: u32,
  zero: u32,
  low: f32,
  high: f32,
  pad_x: u32,
  pad_y: u32,
  dims: array<Dim, dims>,
}

// Where the operands of an element of the result begin.
struct Places {
  a: u32,
  b: u32,
  a_zero: u32,
  b_zero: u32,
  a_scale: u32,
  b_scale: u32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read> a_zeros: array<u32>;
@group(0) @binding(3) var<storage, read> b_zeros: array<u32>;

fn places_of(i: u32) -> Places {
  var rest = i;
  var at = Places();
  for (var d = 0u; d < dims; d++) {
    let dim = p.dims[d];
    let next = divide(rest, dim.extent, dim.inverse);
    let here = select(rest - next * dim.extent, rest, d == dims - 1u);
    at.a += here * dim.a;
    at.b += here * dim.b;
    at.a_zero += here * dim.a_zero;
    at.b_zero += here * dim.b_zero;
    at.a_scale += here * dim.a_scale;
    at.b_scale += here * dim.b_scale;
    rest = next;
  }
  return at;
}

fn number(word: u32, at: u32, t: Stored) -> f32 {
  return number_of(code_in(word, at, t), t);
}

fn zero_of_a(at: u32) -> i32 {
  if (has_a_zero) {
    return i32(number(a_zeros[at / per_word(a_type)], at, a_type));
  }
  return 0;
}

fn zero_of_b(at: u32) -> i32 {
  if (has_b_zero) {
    return i32(number(b_zeros[at / per_word(b_type)], at, b_type));
  }
  return 0;
}

// The four bytes of a word.
fn bytes_in(word: u32, t: Stored) -> vec4<i32> {
  let high = vec4<u32>(word) << vec4<u32>(24u, 16u, 8u, 0u);
  return select(bitcast<vec4<i32>>(high >> vec4<u32>(24u)), bitcast<vec4<i32>>(high) >> vec4<u32>(24u), t.kind == kind_signed);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let four = flat_group(group, groups) * group_size + lane;
  let i = four * 4u;
  if (i >= p.count) {
    return;
  }
  finish(four, sums_of(i));
}
