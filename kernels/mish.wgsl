// x tanh(log(1 + e^x)): with e = e^x that is x e (e + 2) / (e (e + 2) + 2), for positive x with e = e^-x instead
// x (1 + 2 e) / (1 + 2 e + 2 e^2). Below zero x multiplies 256 e, which is no denormal yet where the result is a
// number; without the fence compilers would scale it first.
fn apply(x: acc) -> acc {
  let lifted = exp_falling_256(-abs(x), 0.0);
  let e = lifted * 0.00390625;
  let n = 1.0 + 2.0 * e;
  let product = fence(x * lifted);
  let falling = product * ((e + 2.0) / (e * (e + 2.0) + 2.0)) * 0.00390625;
  return select(x * (n / (n + 2.0 * e * e)), falling, x < 0.0);
}
