// -x
fn apply(x: acc) -> acc {
  return negated(x);
}
