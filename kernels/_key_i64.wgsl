// A pair of words, higher one first, in the order of the numbers.
fn key_of(x: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(x.y ^ 0x80000000u, x.x);
}
