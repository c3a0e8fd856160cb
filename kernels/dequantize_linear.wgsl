// (x - zero) * scale.
fn apply(x: f32, scale: f32, zero: f32) -> f32 {
  return (x - zero) * scale;
}
