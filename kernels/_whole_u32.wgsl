// Floats to unsigned integers of `made_bits`: fractions are cut off, what is too large becomes the nearest bound, NaN becomes 0.
fn converted(x: f32) -> u32 {
  let most = 0xffffffffu >> (32u - made_bits);
  let whole = min(u32(clamp(x, 0.0, 4294967040.0)), most);
  return select(select(whole, most, x >= 4294967296.0), 0u, is_nan(x));
}
