// y = (x - mean) * inv * scale + bias over rows of `length` elements, inv = 1 / sqrt(variance + epsilon); where `centred` is 0, the
// same around 0 instead of the mean. All f32: a first mean, then sums of the differences from it and of their squares, which correct
// that mean's own rounding, so a large mean cancels nothing. Sums as in _moments.wgsl. x is `source`; optional operands have a file each; bindings are numbered by
// the family.
struct Params {
  rows: u32,
  length: u32,
  scale_step: u32,  // 1, or 0 for a scale of one element
  bias_step: u32,
  epsilon: f32,
  skip_rows: u32,  // after which skip begins again
  shift_width: u32,
  pad: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> scale: array<elem>;
@group(0) @binding(binding_y) var<storage, read_write> y: array<elem>;
@group(0) @binding(binding_params) var<uniform> p: Params;

fn number_at(row: u32, i: u32) -> f32 {
  return source(row, i);
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  var shift = 0.0;
  if (centred == 1u) {
    shift = sums_from(row, 0.0, length, lane, lanes).x;
  }
  let moments = sums_from(row, shift, length, lane, lanes);
  let rest = f32(centred) * moments.x;
  let spread = moments.y - rest * rest;
  let variance = select(spread, 0.0, spread < 0.0);  // not max: it would drop NaN
  let inv = 1.0 / sqrt(variance + p.epsilon);
  for (var i = lane; i < length; i += lanes) {
    let value = source(row, i);
    let normal = (fence(value - shift) - rest) * inv;
    y[row * p.length + i] = elem(fma(normal, f32(scale[i * p.scale_step]), bias_of(i)));
    keep_sum(row * p.length + i, value);
  }
  if (lane == 0u && row < p.rows) {
    keep_mean(row, shift + rest);
    keep_inverse(row, inv);
  }
}
