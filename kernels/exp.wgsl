// e^x.
fn apply(x: acc) -> acc {
  return exp_of(x);
}
