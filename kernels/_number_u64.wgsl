// Unsigned 64-bit integers as (low, high) words; _pair.wgsl has their arithmetic.
fn highest() -> vec2<u32> {
  return vec2<u32>(0xffffffffu);
}

fn lowest() -> vec2<u32> {
  return vec2<u32>();
}

fn less(a: vec2<u32>, b: vec2<u32>) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn magnitude(x: vec2<u32>) -> vec2<u32> {
  return x;
}

// Nothing is left of a number that is moved by its width or more.
fn shifted_left(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let by = b.x & 31u;
  let joined = vec2<u32>(a.x << by, (a.y << by) | ((a.x >> 1u) >> (31u - by)));
  let moved = select(joined, vec2<u32>(0u, a.x << by), b.x >= 32u);
  return select(moved, vec2<u32>(), b.y != 0u || b.x >= 64u);
}

fn shifted_right(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let by = b.x & 31u;
  let joined = vec2<u32>((a.x >> by) | ((a.y << 1u) << (31u - by)), a.y >> by);
  let moved = select(joined, vec2<u32>(a.y >> by, 0u), b.x >= 32u);
  return select(moved, vec2<u32>(), b.y != 0u || b.x >= 64u);
}
