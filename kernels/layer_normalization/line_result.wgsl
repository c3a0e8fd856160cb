// The results of line.wgsl.
@group(0) @binding(binding_scale) var<storage, read> scale: array<vec4<f32>>;

struct Scaling {
  shift: f32,
  rest: f32,  // the mean is shift + rest
  inverse: f32,
}

fn scaling_of(shift: f32, sums: vec2<f32>) -> Scaling {
  let moments = sums / f32(p.length);
  let rest = f32(centred) * moments.x;
  let spread = moments.y - rest * rest;
  let variance = select(spread, 0.0, spread < 0.0);  // not max: it would drop NaN
  return Scaling(shift, rest, 1.0 / sqrt(variance + p.epsilon));
}

fn line_result(v: f32, by: Scaling, at: Places, vector: u32, lane: u32) -> f32 {
  let normal = (fence(v - by.shift) - by.rest) * by.inverse;
  return fma(normal, pick(scale[at.column + vector], scale[at.column + vector + 1u], lane), line_bias(at.column + vector, lane));
}

fn keep(row: u32, by: Scaling) {
  keep_mean(row, by.shift + by.rest);
  keep_inverse(row, by.inverse);
}
