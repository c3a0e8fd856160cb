// One number of a line from a signal [batch, samples, parts]: frames of n samples, `step` apart, times the window.
struct Params {
  count: u32,
  n: u32,
  frames: u32,  // of one batch
  step: u32,
  n_inverse: f32,
  frames_inverse: f32,
  samples: u32,
  pad: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> window: array<elem>;
@group(0) @binding(2) var<storage, read_write> lines: array<vec2<f32>>;
@group(0) @binding(3) var<uniform> p: Params;

fn run(i: u32) {
  let line = divide(i, p.n, p.n_inverse);
  let k = i - line * p.n;
  let batch = divide(line, p.frames, p.frames_inverse);
  let at = (batch * p.samples + (line - batch * p.frames) * p.step + k) * parts;
  var value = vec2<f32>(f32(x[at]), 0.0);
  if (parts == 2u) {
    value.y = f32(x[at + parts - 1u]);
  }
  if (windowed == 1u) {
    value *= f32(window[k]);
  }
  lines[i] = value;
}
