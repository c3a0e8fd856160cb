// saturate(round(x / scale) + zero) for integers, x / scale + zero for floats. The quotient has the precision of `quotient_type`; NaN
// becomes the zero point.
fn apply(x: f32, scale: f32, zero: f32) -> f32 {
  let ratio = number_of(code_of(quotient(x, scale), quotient_type), quotient_type);
  if (!bounded) {
    return ratio + zero;
  }
  let whole = select(round(ratio), 0.0, is_nan(ratio));
  return clamp(whole + zero, p.low, p.high);
}
