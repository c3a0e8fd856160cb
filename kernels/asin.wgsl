// The inverse sine; NaN outside [-1, 1].
fn apply(x: acc) -> acc {
  let a = abs(x);
  let large = 1.57079633 - asin_rest(a);
  let r = select(select(large, -large, x < 0.0), asin_core(x), a <= 0.5);
  return select(r, not_a_number(), !(a <= 1.0));
}
