// -x
fn apply(x: acc) -> acc {
  return -x;
}
