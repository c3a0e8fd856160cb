// An element from words: that of a word or less.
fn constant(words: vec2<u32>) -> acc {
  return acc(words.x);
}
