// x / (1 + e^(-alpha x)). Below zero x multiplies 256 e^(alpha x), which is no denormal yet where the result is a
// number; without the fence compilers would scale it first.
fn apply(x: acc) -> acc {
  let u = p.alpha * x;
  let e = exp_falling_256(-abs(u), 0.0);
  let d = 1.0 + e * 0.00390625;
  let product = fence(x * e);
  return select(x / d, product * 0.00390625 / d, u < 0.0);
}
