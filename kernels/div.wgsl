// a / b; integers truncate.
fn apply(a: acc, b: acc) -> acc {
  return ratio(a, b);
}
