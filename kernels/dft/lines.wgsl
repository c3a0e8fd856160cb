// A tensor [outer, axis, inner, parts] and the complex lines [outer * inner, n] that are transformed, n a power of two.
struct Params {
  count: u32,
  log_n: u32,
  extent: u32,  // of the axis in the tensor
  extent_inverse: f32,
  inner: u32,
  inner_inverse: f32,
  scale: f32,
  pad: u32,
}
