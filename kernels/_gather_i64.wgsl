// A 64-bit index as (low, high) words: valid only where the high word is the sign of a number in [-extent, extent).
alias index = vec2<u32>;

fn words_of(value: vec2<u32>) -> vec2<u32> {
  return value;
}

fn wanted(value: vec2<u32>) -> vec2<u32> {
  let negative = value.y == 0xffffffffu && value.x >= 0u - p.extent && value.x != 0u;
  let position = select(value.x, value.x + p.extent, negative);
  return vec2<u32>(position, select(0u, 1u, (value.y == 0u || negative) && position < p.extent));
}
