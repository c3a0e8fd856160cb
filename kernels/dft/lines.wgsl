// A tensor [outer, axis, inner, parts] and the complex lines [outer * inner, n] that are transformed.
struct Params {
  count: u32,
  n: u32,
  extent: u32,  // of the axis in the tensor
  inner: u32,
  n_inverse: f32,
  extent_inverse: f32,
  inner_inverse: f32,
  scale: f32,
}
