// y = (x - mean) * inv * scale + bias over rows that are groups of channels, inv = 1 / sqrt(variance + epsilon); scale and
// bias belong to a channel or to a group. See _moments.wgsl.
struct Params {
  rows: u32,
  length: u32,
  inner: u32,  // elements of a channel
  inner_inverse: f32,
  groups: u32,
  groups_inverse: f32,
  group_step: u32,  // from the scale of one group to that of the next, and of one channel
  channel_step: u32,
  epsilon: f32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> scale: array<elem>;
@group(0) @binding(2) var<storage, read> bias: array<elem>;
@group(0) @binding(3) var<storage, read_write> y: array<elem>;
@group(0) @binding(4) var<uniform> p: Params;

fn number_at(base: u32, i: u32) -> f32 {
  return f32(x[base + i]);
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let base = row * p.length;
  let moments = moments_of(base, length, lane, lanes);
  let inv = 1.0 / sqrt(moments.variance + p.epsilon);
  let factors = (row - divide(row, p.groups, p.groups_inverse) * p.groups) * p.group_step;
  for (var i = lane; i < length; i += lanes) {
    let factor = factors + divide(i, p.inner, p.inner_inverse) * p.channel_step;
    let normal = off_mean(number_at(base, i), moments) * inv;
    y[base + i] = elem(fma(normal, f32(scale[factor]), f32(bias[factor])));
  }
}
