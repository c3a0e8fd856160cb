// a + b
fn apply(a: acc, b: acc) -> acc {
  return plus(a, b);
}
