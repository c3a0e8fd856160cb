// y = (x - mean) * inv * scale + bias, inv = 1 / sqrt(variance + epsilon), with mean and variance of a channel, axis 1 of [batch, channels,
// inner], which also move the running ones. See _moments.wgsl.
struct Params {
  rows: u32,
  length: u32,  // elements of a channel
  inner: u32,
  inner_inverse: f32,
  step: u32,  // from one batch to the next
  epsilon: f32,
  momentum: f32,
  pad: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> scale: array<factor>;
@group(0) @binding(2) var<storage, read> bias: array<factor>;
@group(0) @binding(3) var<storage, read> mean: array<moment>;
@group(0) @binding(4) var<storage, read> variance: array<moment>;
@group(0) @binding(5) var<storage, read_write> y: array<elem>;
@group(0) @binding(6) var<storage, read_write> running_mean: array<moment>;
@group(0) @binding(7) var<storage, read_write> running_variance: array<moment>;
@group(0) @binding(8) var<uniform> p: Params;

fn place(base: u32, i: u32) -> u32 {
  let batch = divide(i, p.inner, p.inner_inverse);
  return base + batch * p.step + i - batch * p.inner;
}

fn number_at(base: u32, i: u32) -> f32 {
  return f32(x[place(base, i)]);
}

fn moved(before: moment, now: f32) -> moment {
  return moment(f32(before) * p.momentum + now * (1.0 - p.momentum));
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let base = row * p.inner;
  let moments = moments_of(base, length, lane, lanes);
  if (row >= p.rows) {
    return;
  }
  let inv = 1.0 / sqrt(moments.variance + p.epsilon);
  for (var i = lane; i < length; i += lanes) {
    let normal = off_mean(number_at(base, i), moments) * inv;
    y[place(base, i)] = elem(fma(normal, f32(scale[row]), f32(bias[row])));
  }
  if (lane == 0u) {
    running_mean[row] = moved(mean[row], moments.shift + moments.rest);
    running_variance[row] = moved(variance[row], moments.variance);
  }
}
