// An element of 64 bits from words.
fn constant(words: vec2<u32>) -> acc {
  return words;
}
