// y[row] = finish(combine of term(x) over the reduced dimensions), from `initial`. Sums run in f32 by blocks (_block.wgsl); the
// order is fixed, so results repeat bit for bit.
alias part = acc;

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let base = row_offset(row);
  let block_size = block_of(length, lanes);
  var total = initial();
  var i = lane;
  while (i < length) {
    let stop = min(length, i + block_size);
    var block = initial();
    for (; i < stop; i += lanes) {
      block = combine(block, term(acc(x[base + element_offset(i)])));
    }
    total = combine(total, block);
  }
  total = row_fold(total, lane, lanes);
  if (lane == 0u && row < p.rows) {
    y[row] = elem(finish(total));
  }
}
