// The nearest whole number, of two the even one.
fn apply(x: acc) -> acc {
  return round(x);
}
