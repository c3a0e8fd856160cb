// (low, high) words of an unsigned integer.
fn wide_of(x: u32) -> vec2<u32> {
  return vec2<u32>(x, 0u);
}
