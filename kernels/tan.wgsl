// The tangent: sine over cosine of the angle beyond whole quarters, the other way round after an odd number of them; NaN of
// infinities.
fn apply(x: acc) -> acc {
  let t = tangent_parts(x);
  let r = t.x / t.y;
  return select(select(r, -r, x < 0.0), not_a_number(), (bitcast<u32>(x) & 0x7fffffffu) >= 0x7f800000u);
}
