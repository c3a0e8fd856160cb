// 1 / x
fn apply(x: acc) -> acc {
  return 1.0 / x;
}
