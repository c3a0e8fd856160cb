// Sine and cosine of any number: x = m 2^e in quarter turns is m 2^e (2 / pi), of which only what is below 4 matters. So of the
// bits of 2 / pi those from 2^(2 - e) on are multiplied with m, 96 of them, modulo 2^96: the product's first two bits count
// quarters, the rest is the angle, with many more digits than needed even where it is close to a multiple.
struct Turns {
  quarters: u32,
  angle: f32,  // within pi / 4 of them
}

// 32 bits of 2 / pi behind 64 zeros, from bit `first` on.
fn inverse_bits(first: u32) -> u32 {
  var words = array<u32, 9>(0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
  let shift = first & 31u;
  return (words[first >> 5u] << shift) | ((words[(first >> 5u) + 1u] >> 1u) >> (31u - shift));
}

// Of |x|, which is finite.
fn turns_of(x: f32) -> Turns {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits < 0x39800000u) {  // below 2^-12 x is its own sine
    return Turns(0u, bitcast<f32>(bits));
  }
  let m = (bits & 0x007fffffu) | 0x00800000u;
  let first = min(bits >> 23u, 254u) - 88u;
  let low = wide_product(m, inverse_bits(first + 64u));
  let middle = wide_product(m, inverse_bits(first + 32u));
  let p1 = middle.x + low.y;
  let p2 = m * inverse_bits(first) + middle.y + select(0u, 1u, p1 < low.y);
  // The fraction of a quarter as a signed number of 64 bits: beyond a half it belongs to the next quarter.
  let high = (p2 << 2u) | (p1 >> 30u);
  let rest = (p1 << 2u) | (low.x >> 30u);
  let minus = high >= 0x80000000u;
  let size = select(vec2<u32>(rest, high), vec2<u32>(0u - rest, ~high + select(0u, 1u, rest == 0u)), minus);
  let zeros = select(countLeadingZeros(size.y), 32u + countLeadingZeros(size.x), size.y == 0u);
  let shift = zeros & 31u;
  let leading = select((size.y << shift) | ((size.x >> 1u) >> (31u - shift)), size.x << shift, zeros >= 32u);
  let angle = f32(leading) * bitcast<f32>((95u - zeros) << 23u) * 1.57079633;  // leading 2^(-32 - zeros) quarters
  return Turns((p2 + 0x20000000u) >> 30u, select(angle, -angle, minus));
}

// Sine and cosine within pi / 4 of 0.
fn near_sine(a: f32) -> f32 {
  let z = a * a;
  return fma(a * z, fma(z, fma(z, -0.000195172899, 0.00833217823), -0.16666655), a);
}

fn near_cosine(a: f32) -> f32 {
  let z = a * a;
  return fma(z, fma(z, fma(z, fma(z, 2.44384183e-05, -0.00138873672), 0.0416666469), -0.5), 1.0);
}

// The sine `later` quarters after those of |x|.
fn turned_sine(x: f32, later: u32) -> f32 {
  let turns = turns_of(x);
  let quarters = turns.quarters + later;
  let value = select(near_sine(turns.angle), near_cosine(turns.angle), (quarters & 1u) == 1u);
  var nan = 0x7fc00000u;
  let turned = select(value, -value, (quarters & 2u) == 2u);
  return select(turned, bitcast<f32>(nan), (bitcast<u32>(x) & 0x7fffffffu) >= 0x7f800000u);
}

// The tangent of |x|, which is finite, as a quotient.
fn tangent_parts(x: f32) -> vec2<f32> {
  let turns = turns_of(x);
  let s = near_sine(turns.angle);
  let c = near_cosine(turns.angle);
  return select(vec2<f32>(s, c), vec2<f32>(-c, s), (turns.quarters & 1u) == 1u);
}
