// At least one is true.
fn apply(a: acc, b: acc) -> bool {
  return a || b;
}
