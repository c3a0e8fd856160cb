// x where it is larger than alpha, else 0; NaN kept.
fn apply(x: acc) -> acc {
  return select(x, 0.0, x <= p.alpha);
}
