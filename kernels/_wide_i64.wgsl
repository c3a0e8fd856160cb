// 64-bit integers are (low, high) words.
fn wide_of(x: vec2<u32>) -> vec2<u32> {
  return x;
}
