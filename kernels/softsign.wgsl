// x / (1 + |x|)
fn apply(x: acc) -> acc {
  return x / (1.0 + abs(x));
}
