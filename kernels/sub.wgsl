// a - b
fn apply(a: acc, b: acc) -> acc {
  return minus(a, b);
}
