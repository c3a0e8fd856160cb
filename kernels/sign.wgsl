// -1, 0 or 1; NaN kept.
fn apply(x: acc) -> acc {
  return select(minus(select(acc(0), unit(), less(acc(0), x)), select(acc(0), unit(), less(x, acc(0)))), x, is_nan(x));
}
