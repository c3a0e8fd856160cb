// max(x, 0), NaN kept.
fn apply(x: acc) -> acc {
  return select(x, acc(0), before(x, acc(0)));
}
