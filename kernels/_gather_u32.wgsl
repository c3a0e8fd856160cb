// A 32-bit index that counts from the beginning alone.
alias index = u32;

fn wanted(value: u32) -> vec2<u32> {
  return vec2<u32>(value, select(0u, 1u, value < p.extent));
}
