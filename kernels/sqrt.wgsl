// Square root; NaN below zero.
fn apply(x: acc) -> acc {
  return sqrt(x);
}
