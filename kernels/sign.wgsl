// -1, 0 or 1; NaN kept.
fn apply(x: acc) -> acc {
  return select(select(acc(0), acc(1), less(acc(0), x)) - select(acc(0), acc(1), less(x, acc(0))), x, is_nan(x));
}
