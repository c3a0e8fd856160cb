// |x|
fn apply(x: acc) -> acc {
  return abs(x);
}
