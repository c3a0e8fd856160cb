// No bias.
fn bias_of(i: u32) -> f32 {
  return 0.0;
}
