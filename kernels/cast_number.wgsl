// Cast: integers from floats stay within their bounds; what else is too large its type handles.
fn apply(x: f32, scale: f32, zero: f32) -> f32 {
  return select(x, clamp(x, p.low, p.high), bounded && !is_nan(x));
}
