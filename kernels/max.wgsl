// The larger; NaN where either is NaN.
fn apply(a: acc, b: acc) -> acc {
  return select(select(select(b, a, before(b, a)), b, is_nan(b)), a, is_nan(a));
}
