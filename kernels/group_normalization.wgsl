// y = (x - mean) * inv * scale + bias over rows that are groups of channels, inv = 1 / sqrt(variance + epsilon); scale and
// bias belong to a channel or to a group. Moments as in layer_normalization/row.wgsl.
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

alias part = vec2<f32>;

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> scale: array<elem>;
@group(0) @binding(2) var<storage, read> bias: array<elem>;
@group(0) @binding(3) var<storage, read_write> y: array<elem>;
@group(0) @binding(4) var<uniform> p: Params;

fn combine(a: part, b: part) -> part {
  return a + b;
}

// (sum of x - shift, sum of (x - shift)^2) over the row, divided by its length.
fn sums_from(base: u32, shift: f32, length: u32, lane: u32, lanes: u32) -> part {
  let block_size = block_of(length, lanes);
  var sums = part();
  var i = lane;
  while (i < length) {
    let stop = min(length, i + block_size);
    var block = part();
    for (; i < stop; i += lanes) {
      let d = f32(x[base + i]) - shift;
      block += part(d, d * d);
    }
    sums += block;
  }
  return row_fold(sums, lane, lanes) / f32(p.length);
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let base = row * p.length;
  let shift = sums_from(base, 0.0, length, lane, lanes).x;
  let moments = sums_from(base, shift, length, lane, lanes);
  let spread = moments.y - moments.x * moments.x;
  let variance = select(spread, 0.0, spread < 0.0);  // not max: it would drop NaN
  let inv = 1.0 / sqrt(variance + p.epsilon);
  let factors = (row - divide(row, p.groups, p.groups_inverse) * p.groups) * p.group_step;
  for (var i = lane; i < length; i += lanes) {
    let factor = factors + divide(i, p.inner, p.inner_inverse) * p.channel_step;
    let normal = (fence(f32(x[base + i]) - shift) - moments.x) * inv;
    y[base + i] = elem(fma(normal, f32(scale[factor]), f32(bias[factor])));
  }
}
