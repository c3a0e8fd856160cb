// No bias.
fn line_bias(at: u32, lane: u32) -> f32 {
  return 0.0;
}
