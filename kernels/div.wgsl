// a / b; integers truncate.
fn apply(a: acc, b: acc) -> acc {
  return a / b;
}
