// x Phi(x) = x (1 + erf(x / sqrt(2))) / 2. Beyond |x| = 1 the tail Phi(-|x|) is computed itself, as 1 - erf would cancel;
// x^2 is split in two so that its rounding does not reach the exponent.
fn apply(x: acc) -> acc {
  let a = abs(x);
  let c = select(a, 15.0, a > 15.0);
  let square = c * c;
  let weight = 0.001953125 * erfc_scaled(c * 0.707106781);
  let e = exp_falling_256(-0.5 * square, -0.5 * product_low(c, c, square));
  let near = fma(0.353553391 * x * x, erf_core(0.5 * x * x), 0.5 * x);
  return select(select(x - c * weight * e, x * weight * e, x < 0.0), near, a < 1.0);
}
