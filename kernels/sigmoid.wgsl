// 1 / (1 + e^-x)
fn apply(x: acc) -> acc {
  return sigmoid_of(x);
}
