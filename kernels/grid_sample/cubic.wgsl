// Cubic convolution over four neighbours along each axis, with a = -3/4.
const taps = 4;

fn nearest_place(place: f32) -> f32 {
  return place;
}

fn first_tap(place: f32) -> i32 {
  return i32(floor(place)) - 1;
}

fn tap_weight(distance: f32) -> f32 {
  let d = abs(distance);
  let near = (1.25 * d - 2.25) * d * d + 1.0;
  let far = (((d - 5.0) * d + 8.0) * d - 4.0) * -0.75;
  return select(select(0.0, far, d < 2.0), near, d <= 1.0);
}
