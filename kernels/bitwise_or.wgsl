// The bits that either has.
fn apply(a: acc, b: acc) -> acc {
  return a | b;
}
