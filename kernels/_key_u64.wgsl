// A pair of words, higher one first, in the order of the numbers.
fn key_of(x: vec2<u32>) -> vec2<u32> {
  return x.yx;
}
