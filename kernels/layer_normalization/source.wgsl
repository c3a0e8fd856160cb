// x as it is.
fn source(row: u32, i: u32) -> f32 {
  return f32(x[row * p.length + i]);
}
