// Zero points as numbers.
fn zero_of(column: u32, block: u32) -> f32 {
  return f32(zeros[column * p.blocks + block]);
}
