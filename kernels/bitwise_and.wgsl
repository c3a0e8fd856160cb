// The bits that both have.
fn apply(a: acc, b: acc) -> acc {
  return a & b;
}
