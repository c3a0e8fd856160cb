// Signed integers.
fn bits_of(x: i32) -> u32 {
  return bitcast<u32>(x);
}
