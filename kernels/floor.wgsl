// The nearest whole number that is not larger.
fn apply(x: acc) -> acc {
  return floor(x);
}
