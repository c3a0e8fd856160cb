// Error function.
fn apply(x: acc) -> acc {
  return erf_of(x);
}
