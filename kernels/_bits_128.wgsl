// An element of 128 bits: only zero is one of words.
fn constant(words: vec2<u32>) -> acc {
  return acc();
}
