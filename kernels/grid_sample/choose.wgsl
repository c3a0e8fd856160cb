// The element itself, zero where there is none.
fn sampled(place: vec3<f32>, start: vec3<i32>, plane: u32) -> acc {
  let z = element(start.x, 0u);
  let row = element(start.y, 1u);
  let column = element(start.z, 2u);
  if (z < 0 || row < 0 || column < 0) {
    return acc();
  }
  return element_at(plane, z, row, column);
}
