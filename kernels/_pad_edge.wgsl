// Outside is the nearest element.
fn source(at: i32, extent: i32) -> i32 {
  return clamp(at, 0, extent - 1);
}
