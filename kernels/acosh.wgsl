// log(x + sqrt(x^2 - 1)), close to 1 from t = x - 1, which is exact, and far out without the square, which would overflow; NaN
// below 1.
fn apply(x: acc) -> acc {
  let t = x - 1.0;
  let root = sqrt(max(t, 0.0) * (x + 1.0));
  let near = log1p_of(t + root);
  let large = select(log_of(x + root), log_of(x) + 0.693147181, x > 1e18);
  return select(select(large, near, x <= 1.25), not_a_number(), !(x >= 1.0));
}
