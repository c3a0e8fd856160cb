// An element of 16 bits from words.
fn constant(words: vec2<u32>) -> elem {
  return bitcast<vec2<f16>>(words.x).x;
}
