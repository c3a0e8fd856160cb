// Exact n / d for n < 2^31 with inverse = 1/d rounded: integer division is a slow sequence on most adapters and scalar
// code on CPU ones. Each estimate is off by at most about 2^-22 of the quotient, so the second leaves at most one to
// correct.
fn divide(n: u32, d: u32, inverse: f32) -> u32 {
  let first = i32(f32(i32(n)) * inverse);
  let rest = i32(n) - first * i32(d);
  let quotient = first + i32(floor(f32(rest) * inverse));
  let remainder = i32(n) - quotient * i32(d);
  return u32(quotient - select(0, 1, remainder < 0) + select(0, 1, remainder >= i32(d)));
}
