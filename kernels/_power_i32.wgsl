// i32 to the power of other integers. One beyond 31 bits becomes an equivalent: powers of odd numbers repeat after 2^30, those of even
// ones are 0 from 32 on, and below zero parity is all that counts.
fn combined(x: i32, at: u32) -> i32 {
  let e = exponent(at);
  let low = bitcast<i32>(e.x);
  let negative = is_negative(e);
  let fits = select(e.y == 0u && low >= 0, e.y == 0xffffffffu && low < 0, negative);
  let equivalent = select((low & 0x3fffffff) | 0x40000000, -2 - (low & 1), negative);
  return apply(x, select(equivalent, low, fits));
}
