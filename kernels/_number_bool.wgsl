// Comparison of truth values.
fn equal(a: bool, b: bool) -> bool {
  return a == b;
}
