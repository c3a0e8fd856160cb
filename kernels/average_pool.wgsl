// Sum over number of taps; NaN of nothing.
fn initial() -> acc {
  return 0.0;
}

fn replaces(total: acc, x: acc) -> bool {
  return false;
}

fn combine(total: acc, x: acc) -> acc {
  return total + x;
}

fn finish(total: acc, count: u32) -> acc {
  return total / f32(count);
}
