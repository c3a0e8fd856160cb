// Integers are rounded to the nearest, ties to even, within their range.
fn finished(sum: f32) -> acc {
  return acc(clamp(round(sum), f32(lowest()), f32(highest())));
}
