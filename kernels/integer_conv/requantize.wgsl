// QLinearConv: codes of what sums and biases, both of one scale, stand for.
struct Params {
  count: u32,
  positions: u32,  // of a channel
  positions_inverse: f32,
  channels: u32,
  channels_inverse: f32,
  scale_step: u32,  // from the scale of the weights of one channel to the next
  low: f32,
  high: f32,
}

@group(0) @binding(0) var<storage, read> sums: array<i32>;
@group(0) @binding(1) var<storage, read> x_scale: array<f32>;
@group(0) @binding(2) var<storage, read> w_scales: array<f32>;
@group(0) @binding(3) var<storage, read> y_scale: array<f32>;
@group(0) @binding(4) var<storage, read> y_zero: array<u32>;
@group(0) @binding(5) var<storage, read> bias: array<i32>;
@group(0) @binding(6) var<storage, read_write> y: array<stored>;
@group(0) @binding(7) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let row = divide(i, p.positions, p.positions_inverse);
  let channel = row - divide(row, p.channels, p.channels_inverse) * p.channels;
  var sum = sums[i];
  if (has_bias) {
    sum += bias[channel];
  }
  let factor = quotient(x_scale[0] * w_scales[channel * p.scale_step], y_scale[0]);
  let zero = element_of(y_zero[0], 0u);
  let code = round(f32(sum) * factor) + select(f32(zero), f32(bitcast<i32>(zero << 24u) >> 24u), p.low < 0.0);
  return bitcast<u32>(i32(clamp(code, p.low, p.high)));
}
