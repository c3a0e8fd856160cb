// a b
fn apply(a: acc, b: acc) -> acc {
  return times(a, b);
}
