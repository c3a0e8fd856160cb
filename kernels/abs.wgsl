// |x|
fn apply(x: acc) -> acc {
  return magnitude(x);
}
