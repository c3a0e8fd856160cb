// Between two neighbours along each axis.
const taps = 2;

fn nearest_place(place: f32) -> f32 {
  return place;
}

fn first_tap(place: f32) -> i32 {
  return i32(floor(place));
}

fn tap_weight(distance: f32) -> f32 {
  return max(0.0, 1.0 - abs(distance));
}
