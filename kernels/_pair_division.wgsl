// Division of 64-bit integers, toward zero, bit by bit; of a divisor of zero _divisors.wgsl tells.

// a / b without signs as (quotient, rest).
fn divided(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
  var quotient = vec2<u32>();
  var rest = vec2<u32>();
  for (var k = 64u; k > 0u; k--) {
    let bit = (select(a.x, a.y, k > 32u) >> ((k - 1u) & 31u)) & 1u;
    let beyond = rest.y >= 0x80000000u;  // the shifted rest needs 65 bits: it is larger than any divisor
    rest = vec2<u32>((rest.x << 1u) | bit, (rest.y << 1u) | (rest.x >> 31u));
    let fits = beyond || rest.y > b.y || (rest.y == b.y && rest.x >= b.x);
    rest = select(rest, minus(rest, b), fits);
    quotient = vec2<u32>((quotient.x << 1u) | select(0u, 1u, fits), (quotient.y << 1u) | (quotient.x >> 31u));
  }
  return vec4<u32>(quotient, rest);
}

fn ratio(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let unsigned_one = divided(magnitude(a), magnitude(b)).xy;
  return select(unsigned_one, negated(unsigned_one), less(a, vec2<u32>()) != less(b, vec2<u32>()));
}

fn remainder(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let unsigned_one = divided(magnitude(a), magnitude(b)).zw;
  return select(unsigned_one, negated(unsigned_one), less(a, vec2<u32>()));
}
