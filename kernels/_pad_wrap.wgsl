// Outside is the input again, from its other end.
fn source(at: i32, extent: i32) -> i32 {
  let place = at % extent;
  return select(place, place + extent, place < 0);
}
