// What signed and unsigned 64-bit integers, (low, high) words, have in common: results wrap.
fn is_nan(x: vec2<u32>) -> bool {
  return false;
}

fn equal(a: vec2<u32>, b: vec2<u32>) -> bool {
  return all(a == b);
}

fn before(a: vec2<u32>, b: vec2<u32>) -> bool {
  return less(a, b);
}

fn unit() -> vec2<u32> {
  return vec2<u32>(1u, 0u);
}

fn plus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn negated(x: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(0u - x.x, ~x.y + select(0u, 1u, x.x == 0u));
}

fn minus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn times(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return wide_product(a.x, b.x) + vec2<u32>(0u, a.x * b.y + a.y * b.x);
}

// The bits of x as an unsigned number: how many there are up to its highest one, and which is set.
fn bits_in(x: vec2<u32>) -> u32 {
  return select(32u - countLeadingZeros(x.x), 64u - countLeadingZeros(x.y), x.y != 0u);
}

fn bit_of(x: vec2<u32>, n: u32) -> bool {
  return ((select(x.x, x.y, n >= 32u) >> (n & 31u)) & 1u) != 0u;
}

fn counted(n: u32) -> vec2<u32> {
  return vec2<u32>(n, 0u);
}
