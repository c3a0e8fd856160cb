// Narrower integers take the low word.
fn narrow(words: vec2<u32>) -> i32 {
  return bitcast<i32>(words.x);
}
