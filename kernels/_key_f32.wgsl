// A pair of words, higher one first, in the order of the numbers.
fn key_of(x: f32) -> vec2<u32> {
  return vec2<u32>(bitcast<u32>(order_of(x)) ^ 0x80000000u, 0u);
}
