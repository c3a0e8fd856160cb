// (low, high) words of a bool.
fn wide_of(x: bool) -> vec2<u32> {
  return vec2<u32>(select(0u, 1u, x), 0u);
}
