// Integers to those of 64 bits.
fn converted(x: acc) -> vec2<u32> {
  return wide_of(x);
}
