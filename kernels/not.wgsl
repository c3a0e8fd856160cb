// True where x is false.
fn apply(x: acc) -> bool {
  return !x;
}
