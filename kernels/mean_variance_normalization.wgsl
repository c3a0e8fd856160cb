// y = (x - mean) / (standard deviation + 1e-9) over rows that are reduced dimensions: _reduce.wgsl says where they are. See _moments.wgsl.
fn number_at(base: u32, i: u32) -> f32 {
  return f32(x[base + element_offset(i)]);
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let base = row_offset(row);
  let moments = moments_of(base, length, lane, lanes);
  let inv = 1.0 / (sqrt(moments.variance) + 1e-9);
  for (var i = lane; i < length; i += lanes) {
    y[base + element_offset(i)] = elem(off_mean(number_at(base, i), moments) * inv);
  }
}
