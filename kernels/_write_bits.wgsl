// Unsigned integers, and elements that are only moved.
fn bits_of(x: u32) -> u32 {
  return x;
}
