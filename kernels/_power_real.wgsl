// Floats to the power of floats of another type, f32, f16 or bf16.
fn combined(x: f32, at: u32) -> f32 {
  if (b_bits == 32u) {
    return apply(x, bitcast<f32>(b[at]));
  }
  let code = (b[at >> 1u] >> ((at & 1u) * 16u)) & 0xffffu;
  return apply(x, select(unpack2x16float(code).x, bitcast<f32>(code << 16u), b_brain == 1u));
}
