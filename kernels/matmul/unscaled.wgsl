// The sum of scaled products as it is without the scales of its row and column. In two steps: the power of two may be more than f32 holds
// where the result is not.
fn unscaled(sum: f32, row: part, column: part) -> f32 {
  let exponent = i32(row) + i32(column);
  let half = exponent / 2;
  return sum * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(exponent - half + 127) << 23u);
}
