// The nearest bf16, ties to even; a NaN stays one.
fn bits_of(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return select((bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u, (bits >> 16u) | 0x40u, nan);
}
