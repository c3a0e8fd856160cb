// y[i] = apply(x[i], scale, zero) between tensors of any types up to 32 bits: Cast, QuantizeLinear, DequantizeLinear. One invocation writes
// one word, all the elements in it; bits behind the last element are zero. With x seen as [outer, extent, inner], scale and zero of element
// (o, a, j) are those at o * outer_step + a / block * block_step + j * inner_step; where not `spread`, those at 0.
struct Params {
  words: u32,
  count: u32,
  low: f32,
  high: f32,
  extent: u32,
  extent_inverse: f32,
  inner: u32,
  inner_inverse: f32,
  block: u32,
  block_inverse: f32,
  outer_step: u32,
  block_step: u32,
  inner_step: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> scales: array<u32>;
@group(0) @binding(2) var<storage, read> zeros: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<u32>;
@group(0) @binding(4) var<uniform> p: Params;

fn place_of(i: u32) -> u32 {
  if (!spread) {
    return 0u;
  }
  let row = divide(i, p.inner, p.inner_inverse);
  let outer = divide(row, p.extent, p.extent_inverse);
  let block = divide(row - outer * p.extent, p.block, p.block_inverse);
  return outer * p.outer_step + block * p.block_step + (i - row * p.inner) * p.inner_step;
}

fn result(i: u32) -> u32 {
  let number = number_of(code_in(x[i / per_word(x_type)], i, x_type), x_type);
  var scale = 1.0;
  var zero = 0.0;
  let at = place_of(i);
  if (has_scale) {
    scale = number_of(code_in(scales[at / per_word(scale_type)], at, scale_type), scale_type);
  }
  if (has_zero) {
    zero = number_of(code_in(zeros[at / per_word(zero_type)], at, zero_type), zero_type);
  }
  return code_of(apply(number, scale, zero), y_type);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = flat_group(group, groups) * group_size + lane;
  if (word >= p.words) {
    return;
  }
  var bits = 0u;
  for (var k = 0u; k < per_word(y_type); k++) {
    let i = word * per_word(y_type) + k;
    if (i < p.count) {
      bits |= result(i) << (k * y_type.bits);
    }
  }
  y[word] = bits;
}
