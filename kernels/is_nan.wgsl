// True for NaN.
fn apply(x: acc) -> bool {
  return is_nan(x);
}
