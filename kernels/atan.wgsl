// The inverse tangent, from angles within pi / 8 of 0, pi / 4 or pi / 2.
fn apply(x: acc) -> acc {
  let a = abs(x);
  let steep = a > 2.41421356;
  let middle = !steep && a > 0.414213562;
  let u = select(select(a, (a - 1.0) / (a + 1.0), middle), -1.0 / a, steep);
  let z = u * u;
  let q = fma(z, fma(z, fma(z, fma(z, -0.0608344562, 0.10595998), -0.142438486), 0.199984893), -0.333333164);
  let r = select(select(0.0, 0.785398163, middle), 1.57079633, steep) + fma(u * z, q, u);
  return select(r, -r, x < 0.0);
}
