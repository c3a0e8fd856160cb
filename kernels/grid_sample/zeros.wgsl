// Beyond the input is zero.
fn inside(place: f32, low: f32, high: f32, extent: f32) -> f32 {
  return place;
}

fn element(j: i32, axis: u32) -> i32 {
  return select(-1, j, j >= 0 && j < i32(p.axes[axis].extent));
}
