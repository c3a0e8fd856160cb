// The bits that exactly one has.
fn apply(a: acc, b: acc) -> acc {
  return a ^ b;
}
