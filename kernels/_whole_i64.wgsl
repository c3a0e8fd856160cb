// Floats to 64-bit integers: fractions are cut off, what is too large becomes the nearest bound, NaN becomes 0. By bits: the
// fraction, with its leading one, times a power of two. `unsigned` is 1 for u64.
fn converted(x: f32) -> vec2<u32> {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let minus = bitcast<u32>(x) >= 0x80000000u;
  if (bits > 0x7f800000u || bits < 0x3f800000u || (minus && unsigned == 1u)) {
    return vec2<u32>();
  }
  if (bits >= 0x5f800000u && unsigned == 1u) {
    return vec2<u32>(0xffffffffu);
  }
  if (bits >= 0x5f000000u && unsigned == 0u) {
    return select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), minus);
  }
  let fraction = (bits & 0x007fffffu) | 0x00800000u;
  let exponent = bits >> 23u;  // 150 is that of the fraction as an integer
  let right = max(150u, exponent) - exponent;
  let left = max(150u, exponent) - 150u;
  let below = left & 31u;
  let low = select((fraction >> right) << below, 0u, left >= 32u);
  let high = select((fraction >> 1u) >> (31u - below), fraction << below, left >= 32u);
  let negated = vec2<u32>(0u - low, ~high + select(0u, 1u, low == 0u));
  return select(vec2<u32>(low, high), negated, minus);
}
