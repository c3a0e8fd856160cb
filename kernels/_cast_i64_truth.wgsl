// A bool wants to know whether any bit is set.
fn narrow(words: vec2<u32>) -> i32 {
  return bitcast<i32>(words.x | words.y);
}
