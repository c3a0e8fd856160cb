// The nearest whole number that is not smaller.
fn apply(x: acc) -> acc {
  return ceil(x);
}
