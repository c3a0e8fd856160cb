// No zero points: the middle of the codes.
fn zero_of(column: u32, block: u32) -> f32 {
  return p.default_zero;
}
