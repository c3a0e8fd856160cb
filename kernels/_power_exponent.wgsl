// Exponent `at` as (low, high) words of a 64-bit integer, from one of two words or from words that hold integers of `b_bits`;
// `b_signed` extends their sign.
fn exponent(at: u32) -> vec2<u32> {
  if (b_pair == 1u) {
    return vec2<u32>(b[2u * at], b[2u * at + 1u]);
  }
  let per_word = 32u / b_bits;
  let left = b[at / per_word] << ((per_word - 1u - (at & (per_word - 1u))) * b_bits);
  let low = select(left >> (32u - b_bits), bitcast<u32>(bitcast<i32>(left) >> (32u - b_bits)), b_signed == 1u);
  return vec2<u32>(low, select(0u, 0xffffffffu, b_signed == 1u && low >= 0x80000000u));
}

fn is_negative(e: vec2<u32>) -> bool {
  return b_signed == 1u && e.y >= 0x80000000u;
}
