// 16 bytes of equal elements from two words of them.
fn constant(words: vec2<u32>) -> acc {
  return vec4<u32>(words, words);
}
