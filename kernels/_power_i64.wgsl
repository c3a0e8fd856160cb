// i64 to the power of other integers. An unsigned one beyond 63 bits becomes an equivalent: powers of odd numbers repeat after 2^62, those
// of even ones are 0 from 64 on.
fn combined(x: vec2<u32>, at: u32) -> vec2<u32> {
  let e = exponent(at);
  let wide = b_signed == 0u && e.y >= 0x80000000u;
  return apply(x, select(e, vec2<u32>(e.x, (e.y & 0x3fffffffu) | 0x40000000u), wide));
}
