// x for x >= 0, else alpha x.
fn apply(x: acc) -> acc {
  return select(x, p.alpha * x, x < 0.0);
}
