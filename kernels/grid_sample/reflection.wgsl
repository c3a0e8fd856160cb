// Beyond the input is its mirror image, again and again.
fn inside(place: f32, low: f32, high: f32, extent: f32) -> f32 {
  return select(reflected(place, low, high), place, place >= low && place <= high);
}

fn element(j: i32, axis: u32) -> i32 {
  let extent = i32(p.axes[axis].extent);
  let mirrored = clamp(i32(reflected(f32(j), p.axes[axis].low, p.axes[axis].high)), 0, extent - 1);
  return select(mirrored, j, j >= 0 && j < extent);
}
