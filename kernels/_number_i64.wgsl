// Comparisons of 64-bit integers as (low, high) words; WGSL has no arithmetic of that width.
fn equal(a: vec2<u32>, b: vec2<u32>) -> bool {
  return all(a == b);
}

fn less(a: vec2<u32>, b: vec2<u32>) -> bool {
  return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}
