// y = x / (bias + alpha / size * sum of squares over neighbouring channels)^beta, one element per invocation.
struct Params {
  count: u32,
  inner: u32,  // elements of a channel
  inner_inverse: f32,
  channels: u32,
  channels_inverse: f32,
  before: u32,  // channels in front of an element's own, and behind it
  behind: u32,
  pad: u32,
  alpha: f32,  // divided by the size
  beta: f32,
  bias: f32,
  pad_x: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

fn run(i: u32) {
  let plane = divide(i, p.inner, p.inner_inverse);
  let channel = plane - divide(plane, p.channels, p.channels_inverse) * p.channels;
  let first = channel - min(channel, p.before);
  let last = min(channel + p.behind, p.channels - 1u);
  var sum = 0.0;
  for (var k = first; k <= last; k++) {
    let v = f32(x[i + k * p.inner - channel * p.inner]);
    sum = fma(v, v, sum);
  }
  y[i] = elem(f32(x[i]) / apply(fma(p.alpha, sum, p.bias), p.beta));
}
