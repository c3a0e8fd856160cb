// a + b; longer sums are chains.
fn apply(a: acc, b: acc) -> acc {
  return a + b;
}
