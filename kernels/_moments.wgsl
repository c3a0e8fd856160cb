// Mean and variance of a row: the sums of deviations from a shift, which is the mean as a first pass finds it. The row's file gives
// number_at(base, i).
alias part = vec2<f32>;

fn combine(a: part, b: part) -> part {
  return a + b;
}

// (sum of x - shift, sum of (x - shift)^2) over the row, divided by its length.
fn sums_from(base: u32, shift: f32, length: u32, lane: u32, lanes: u32) -> part {
  let block_size = block_of(length, lanes);
  var sums = part();
  var i = lane;
  while (i < length) {
    let stop = min(length, i + block_size);
    var block = part();
    for (; i < stop; i += lanes) {
      let d = number_at(base, i) - shift;
      block += part(d, d * d);
    }
    sums += block;
  }
  return row_fold(sums, lane, lanes) / f32(p.length);
}

struct Moments {
  shift: f32,
  rest: f32,  // the mean is shift + rest
  variance: f32,
}

fn moments_of(base: u32, length: u32, lane: u32, lanes: u32) -> Moments {
  let shift = sums_from(base, 0.0, length, lane, lanes).x;
  let sums = sums_from(base, shift, length, lane, lanes);
  let spread = sums.y - sums.x * sums.x;
  return Moments(shift, sums.x, select(spread, 0.0, spread < 0.0));  // not max: it would drop NaN
}

// x - mean, of which nothing is lost to the size of the shift.
fn off_mean(x: f32, moments: Moments) -> f32 {
  return fence(x - moments.shift) - moments.rest;
}
