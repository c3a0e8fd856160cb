// A sum over `taps` neighbours along each axis, weighted by `tap_weight`; both are the mode's.
fn sampled(place: vec3<f32>, start: vec3<i32>, plane: u32) -> acc {
  var sum = 0.0;
  for (var a = 0; a < select(1, taps, p.rank > 2u); a++) {
    let z = element(start.x + a, 0u);
    let wz = select(1.0, tap_weight(place.x - f32(start.x + a)), p.rank > 2u);
    for (var b = 0; b < select(1, taps, p.rank > 1u); b++) {
      let row = element(start.y + b, 1u);
      let wy = wz * select(1.0, tap_weight(place.y - f32(start.y + b)), p.rank > 1u);
      for (var c = 0; c < taps; c++) {
        let column = element(start.z + c, 2u);
        let weight = wy * tap_weight(place.z - f32(start.z + c));
        if (z >= 0 && row >= 0 && column >= 0 && weight != 0.0) {
          sum += weight * element_at(plane, z, row, column);
        }
      }
    }
  }
  return sum;
}
