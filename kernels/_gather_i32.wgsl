// A 32-bit index: below zero it counts from the end.
alias index = u32;

fn words_of(value: u32) -> vec2<u32> {
  return vec2<u32>(value, select(0u, 0xffffffffu, value >= 0x80000000u));
}

fn wanted(value: u32) -> vec2<u32> {
  let position = select(value, value + p.extent, value >= 0x80000000u);
  return vec2<u32>(position, select(0u, 1u, position < p.extent));
}
