// An element of 32 bits from words.
fn constant(words: vec2<u32>) -> elem {
  return words.x;
}
