// Sum over number of taps; NaN of nothing.
const passes = 1u;

fn initial() -> acc {
  return 0.0;
}

fn replaces(total: acc, x: acc) -> bool {
  return false;
}

fn combine(total: acc, x: acc, turn: u32) -> acc {
  return total + x;
}

fn finish(total: acc, count: u32) -> acc {
  return total / f32(count);
}
