// The nearest element; ties go to the even place.
fn nearest_place(place: f32) -> f32 {
  return round(place);
}

fn first_tap(place: f32) -> i32 {
  return i32(place);
}
