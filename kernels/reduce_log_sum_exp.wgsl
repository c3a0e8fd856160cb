// Logarithm of the sum of exponentials: m + log(sum e^(x - m)), m the largest of the row, which is read twice. No exponent is
// positive, so nothing overflows, and the sum is at least 1; of nothing it is -infinity, as it is where all are. Infinity and
// NaN come from the largest.
alias part = vec2<f32>;  // (largest, sum)

fn combine(a: part, b: part) -> part {
  let largest = select(select(max(a.x, b.x), b.x, is_nan(b.x)), a.x, is_nan(a.x));
  return part(largest, a.y + b.y);
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let base = row_offset(row);
  var top = part(lowest(), 0.0);
  for (var i = lane; i < length; i += lanes) {
    top = combine(top, part(f32(x[base + element_offset(i)]), 0.0));
  }
  let largest = row_fold(top, lane, lanes).x;
  let block_size = block_of(length, lanes);
  var sum = 0.0;
  var at = lane;
  while (at < length) {
    let stop = min(length, at + block_size);
    var block = 0.0;
    for (; at < stop; at += lanes) {
      block += exp_falling(f32(x[base + element_offset(at)]) - largest);
    }
    sum += block;
  }
  sum = row_fold(part(0.0, sum), lane, lanes).y;
  let finite = (bitcast<u32>(largest) & 0x7fffffffu) < 0x7f800000u;
  if (lane == 0u && row < p.rows) {
    y[row] = elem(select(largest, largest + log_of(sum), finite));
  }
}
