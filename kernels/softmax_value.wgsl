// Softmax: e^d / sum.
fn scale_of(sum: f32) -> f32 {
  return 1.0 / sum;
}

fn result(d: f32, scale: f32) -> f32 {
  return exp_falling(d) * scale;
}
