// x / y rounded correctly but for near ties, and exact where it is a number of f32: WGSL's own division may be 2.5 units off, which codes
// would show. What the division left is added; beyond the range where its parts are normal numbers the division stands.
fn quotient(x: f32, y: f32) -> f32 {
  let q = x / y;
  let product = q * y;
  let rest = fence(x - product) - product_low(q, y, product);
  let sizes = bitcast<vec3<u32>>(vec3<f32>(x, y, q)) & vec3<u32>(0x7fffffffu);
  let normal = all(sizes > vec3<u32>(0x1c000000u)) && all(sizes < vec3<u32>(0x62000000u));
  return select(q, q + rest / y, normal);
}
