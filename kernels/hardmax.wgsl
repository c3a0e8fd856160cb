// 1 at the first of the largest elements, 0 elsewhere; a NaN counts as the largest.
fn key(x: acc) -> vec2<u32> {
  return select(key_of(x), vec2<u32>(0xffffffffu), is_nan(x));
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let best = best_of(row, length, lane, lanes);
  let base = row_base(row);
  for (var i = lane; i < length; i += lanes) {
    y[base + i * p.inner] = select(stored(0.0), stored(1.0), i == best);
  }
}
