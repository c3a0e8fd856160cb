// y = (x - mean) * (scale / sqrt(variance + epsilon)) + bias with numbers per channel: axis 1 of [batch, channels, inner].
struct Params {
  count: u32,
  inner: u32,
  inner_inverse: f32,
  channels: u32,
  channels_inverse: f32,
  epsilon: f32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> scale: array<factor>;
@group(0) @binding(2) var<storage, read> bias: array<factor>;
@group(0) @binding(3) var<storage, read> mean: array<moment>;
@group(0) @binding(4) var<storage, read> variance: array<moment>;
@group(0) @binding(5) var<storage, read_write> y: array<elem>;
@group(0) @binding(6) var<uniform> p: Params;

fn run(i: u32) {
  let plane = divide(i, p.inner, p.inner_inverse);
  let channel = plane - divide(plane, p.channels, p.channels_inverse) * p.channels;
  let slope = f32(scale[channel]) / sqrt(f32(variance[channel]) + p.epsilon);
  y[i] = elem(fma(f32(x[i]) - f32(mean[channel]), slope, f32(bias[channel])));
}
