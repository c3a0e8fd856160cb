// a's bits moved by b places, to the left where `leftward` is 1.
fn apply(a: acc, b: acc) -> acc {
  if (leftward == 1u) {
    return shifted_left(a, b);
  }
  return shifted_right(a, b);
}
