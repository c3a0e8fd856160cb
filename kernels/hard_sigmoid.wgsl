// max(0, min(1, alpha x + beta)), NaN kept.
fn apply(x: acc) -> acc {
  let v = p.alpha * x + p.beta;
  return select(select(select(v, 0.0, v < 0.0), 1.0, v > 1.0), x, is_nan(x));
}
