// Bytes that are 0 or 1.
fn bits_of(x: bool) -> u32 {
  return select(0u, 1u, x);
}
