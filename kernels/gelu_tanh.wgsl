// Gelu with approximate = "tanh": x (1 + tanh(u / 2)) / 2 = x sigmoid(u), u = sqrt(8 / pi) (x + 0.044715 x^3). u
// reaches 90 while the result is still a number, so what its roundings lose is carried along; the clamp keeps x^3
// finite.
fn apply(x: acc) -> acc {
  let a = abs(x);
  let c = select(a, 15.0, a > 15.0);
  let square = c * c;
  let cubic = 0.0713548139 * square;
  let w = cubic + 1.59576917;
  let cubic_low = product_low(0.0713548139, square, cubic) + 0.0713548139 * product_low(c, c, square) + 2.39883e-9 * square;
  let w_low = select(fence(1.59576917 - w) + cubic, fence(cubic - w) + 1.59576917, cubic > 1.59576917) + (cubic_low - 4.534068e-8);
  let u = c * w;
  let e = exp_falling_256(-u, -(c * w_low + product_low(c, w, u)));
  return select(x, x * e, x < 0.0) / select(fma(e, 0.00390625, 1.0), e + 256.0, x < 0.0);
}
