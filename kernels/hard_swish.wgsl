// x * (clamp(x + 3, 0, 6) / 6), in that order, so that large x does not overflow.
fn apply(x: acc) -> acc {
  return x * (clamp(x + 3.0, 0.0, 6.0) / 6.0);
}
