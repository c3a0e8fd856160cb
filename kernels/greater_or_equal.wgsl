// a >= b, false for NaN
fn apply(a: acc, b: acc) -> bool {
  return less(b, a) || equal(a, b);
}
