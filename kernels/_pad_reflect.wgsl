// Outside is a mirror image, again and again, that does not repeat the edge.
fn source(at: i32, extent: i32) -> i32 {
  let period = max(2 * (extent - 1), 1);
  let place = abs(at) % period;
  return select(period - place, place, place < extent);
}
