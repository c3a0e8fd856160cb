// Signed 64-bit integers as (low, high) words; _pair.wgsl has their arithmetic.
fn highest() -> vec2<u32> {
  return vec2<u32>(0xffffffffu, 0x7fffffffu);
}

fn lowest() -> vec2<u32> {
  return vec2<u32>(0u, 0x80000000u);
}

fn less(a: vec2<u32>, b: vec2<u32>) -> bool {
  return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}

fn magnitude(x: vec2<u32>) -> vec2<u32> {
  return select(x, negated(x), x.y >= 0x80000000u);
}
