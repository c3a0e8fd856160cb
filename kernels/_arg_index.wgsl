// The index itself, 64-bit.
fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let best = best_of(row, length, lane, lanes);
  if (lane == 0u && row < p.rows) {
    y[row] = vec2<u32>(best, 0u);
  }
}
