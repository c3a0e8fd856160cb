// Unsigned integers, and elements that are only moved.
fn number_of(bits: u32) -> u32 {
  return bits;
}
