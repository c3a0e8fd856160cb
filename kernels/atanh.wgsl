// log((1 + x) / (1 - x)) / 2; close to 0 a polynomial, since that cancels; NaN outside [-1, 1].
fn apply(x: acc) -> acc {
  let a = abs(x);
  let z = x * x;
  let high = fma(z, fma(z, 0.177196324, 0.0509856194), 0.118339576);
  let small = fma(x * z, fma(z, fma(z, fma(z, high, 0.142214879), 0.200025871), 0.333332986), x);
  let large = select(0.5 * log_of((1.0 + a) / (1.0 - a)), highest(), a == 1.0);
  return select(select(select(large, -large, x < 0.0), small, a < 0.5), not_a_number(), !(a <= 1.0));
}
