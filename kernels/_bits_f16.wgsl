// An f16 from words.
fn constant(words: vec2<u32>) -> acc {
  return bitcast<vec2<f16>>(words.x).x;
}
