// A 64-bit index, (low, high) words, that counts from the beginning alone.
alias index = vec2<u32>;

fn wanted(value: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(value.x, select(0u, 1u, value.y == 0u && value.x < p.extent));
}
