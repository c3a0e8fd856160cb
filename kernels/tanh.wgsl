// Hyperbolic tangent.
fn apply(x: acc) -> acc {
  return tanh_of(x);
}
