// The cosine, which is the sine a quarter turn later; NaN of infinities.
fn apply(x: acc) -> acc {
  return turned_sine(x, 1u);
}
