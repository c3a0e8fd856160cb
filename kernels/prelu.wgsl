// a for a >= 0, else b a.
fn apply(a: acc, b: acc) -> acc {
  return select(a, b * a, a < acc(0));
}
