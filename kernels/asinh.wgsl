// log(x + sqrt(x^2 + 1)); close to 0 a polynomial, since that cancels, and far out the square would overflow.
fn apply(x: acc) -> acc {
  let a = abs(x);
  let z = x * x;
  let q = fma(z, fma(z, fma(z, fma(z, -0.0132480804, 0.0281755477), -0.0443858653), 0.0749866292), -0.166666433);
  let large = select(log_of(a + sqrt(a * a + 1.0)), log_of(a) + 0.693147181, a > 1e18);
  return select(select(large, -large, x < 0.0), fma(x * z, q, x), a < 0.5);
}
