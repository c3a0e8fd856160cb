// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|)
fn apply(x: acc) -> acc {
  return select(x, 0.0, x < 0.0) + log1p_of(exp_falling(-abs(x)));
}
