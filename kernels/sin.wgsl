// The sine; NaN of infinities.
fn apply(x: acc) -> acc {
  let s = turned_sine(x, 0u);
  return select(s, -s, x < 0.0);
}
