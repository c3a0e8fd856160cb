// Natural logarithm: -inf at 0, NaN below.
fn apply(x: acc) -> acc {
  return log_of(x);
}
