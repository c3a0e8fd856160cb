// a for a >= 0, else b a.
fn apply(a: acc, b: acc) -> acc {
  return select(a, times(b, a), before(a, acc(0)));
}
