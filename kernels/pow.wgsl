// a^b as e^(b log|a|), with the sign and the special cases of IEEE 754 pow. The exponents that models use most are
// products and roots, exact to rounding.
fn apply(a: acc, b: acc) -> acc {
  let whole = floor(b) == b;
  let odd = whole && abs(b) < 16777216.0 && floor(b * 0.5) * 2.0 != b;
  var nan = 0x7fc00000u;
  var r = exp_of(b * log_of(abs(a)));
  r = select(r, 1.0, abs(a) == 1.0);
  r = select(r, -r, bitcast<u32>(a) >= 0x80000000u && odd);
  r = select(r, bitcast<f32>(nan), a < 0.0 && !whole && abs(a) != highest());
  r = select(r, sqrt(a), b == 0.5 && a >= 0.0);
  r = select(r, a, b == 1.0);
  r = select(r, a * a, b == 2.0);
  r = select(r, a * a * a, b == 3.0);
  r = select(r, a + b, is_nan(a) || is_nan(b));
  return select(r, 1.0, b == 0.0 || a == 1.0);
}
