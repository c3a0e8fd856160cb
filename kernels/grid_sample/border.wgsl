// Beyond the input is its border.
fn inside(place: f32, low: f32, high: f32, extent: f32) -> f32 {
  return select(clamp(place, 0.0, extent - 1.0), place, place >= low && place <= high);
}

fn element(j: i32, axis: u32) -> i32 {
  return clamp(j, 0, i32(p.axes[axis].extent) - 1);
}
