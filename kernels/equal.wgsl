// a == b, false for NaN
fn apply(a: acc, b: acc) -> bool {
  return equal(a, b);
}
