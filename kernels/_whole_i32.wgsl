// Floats to signed integers of `made_bits`: fractions are cut off, what is too large becomes the nearest bound (the conversion
// alone stops at the largest f32 below it), NaN becomes 0.
fn converted(x: f32) -> i32 {
  let least = i32(-1) << (made_bits - 1u);
  let whole = clamp(i32(clamp(x, -2147483648.0, 2147483520.0)), least, ~least);
  return select(select(whole, ~least, x >= 2147483648.0), 0, is_nan(x));
}
