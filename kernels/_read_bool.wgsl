// Any byte but zero is true.
fn number_of(bits: u32) -> bool {
  return bits != 0u;
}
