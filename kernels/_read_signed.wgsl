// Signed integers.
fn number_of(bits: u32) -> i32 {
  return bitcast<i32>(bits << (32u - width)) >> (32u - width);
}
