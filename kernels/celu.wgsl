// x for x >= 0, else alpha (e^(x / alpha) - 1).
fn apply(x: acc) -> acc {
  return select(x, p.alpha * expm1_falling(x / p.alpha), x < 0.0);
}
