// Integers to floats: the nearest f32, ties to even. The leading 24 bits, rounded as an integer, times a power of two. `unsigned`
// is 1 for u64.
fn converted(x: acc) -> f32 {
  let words = wide_of(x);
  let minus = words.y >= 0x80000000u && unsigned == 0u;
  let low = select(words.x, 0u - words.x, minus);
  let high = select(words.y, ~words.y + select(0u, 1u, words.x == 0u), minus);
  let bits = select(32u - countLeadingZeros(low), 64u - countLeadingZeros(high), high != 0u);
  let shift = max(bits, 24u) - 24u;  // 0 to 40 bits fall off
  let below = shift & 31u;
  let joined = select((low >> below) | ((high << 1u) << (31u - below)), high >> below, shift >= 32u);
  let lost_low = select(low & ((1u << below) - 1u), low, shift >= 32u);
  let lost_high = select(0u, high & ((1u << below) - 1u), shift >= 32u);
  // What falls off, compared with half of the last bit that stays.
  let half_low = select(select(0u, 1u << (below - 1u), shift > 0u && shift <= 32u), 0x80000000u, shift == 32u);
  let half_high = select(0u, 1u << (below - 1u), shift > 32u);
  let more = lost_high > half_high || (lost_high == half_high && lost_low > half_low);
  let tie = lost_high == half_high && lost_low == half_low;
  let up = shift > 0u && (more || (tie && (joined & 1u) == 1u));
  let leading = f32(joined + select(0u, 1u, up));
  let magnitude = bitcast<f32>(bitcast<u32>(leading) + (shift << 23u));
  return select(magnitude, -magnitude, minus);
}
