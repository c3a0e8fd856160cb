// (e^x + e^-x) / 2
fn apply(x: acc) -> acc {
  let a = abs(x);
  let half = exp_core(min(a, 89.4159851), 0.0, -1);
  return select(select(half + 0.25 / half, highest(), a > 89.4159851), x, is_nan(x));
}
