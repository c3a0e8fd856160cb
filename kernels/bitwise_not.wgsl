// Every bit inverted.
fn apply(x: acc) -> acc {
  return ~x;
}
