// 64-bit integers as (low, high) words, which wrap: the product of two words from products of their halves.
alias elem = vec2<u32>;

fn product(a: u32, b: u32) -> vec2<u32> {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let cross = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (cross & 0xffffu);
  return vec2<u32>((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (cross >> 16u) + (other >> 16u));
}

fn at(i: u32) -> vec2<u32> {
  let step = product(i, p.delta.x) + vec2<u32>(0u, i * p.delta.y);
  let low = p.start.x + step.x;
  return vec2<u32>(low, p.start.y + step.y + select(0u, 1u, low < step.x));
}
