// The inverse cosine; NaN outside [-1, 1].
fn apply(x: acc) -> acc {
  let a = abs(x);
  let rest = asin_rest(a);
  let r = select(select(rest, 3.14159265 - rest, x < 0.0), 1.57079633 - asin_core(x), a <= 0.5);
  return select(r, not_a_number(), !(a <= 1.0));
}
