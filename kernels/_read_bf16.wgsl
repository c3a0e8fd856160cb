// bf16 is the upper half of an f32.
fn number_of(bits: u32) -> f32 {
  return bitcast<f32>(bits << 16u);
}
