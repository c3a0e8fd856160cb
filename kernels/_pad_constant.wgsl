// Outside is the constant.
fn source(at: i32, extent: i32) -> i32 {
  return select(-1, at, at >= 0 && at < extent);
}
