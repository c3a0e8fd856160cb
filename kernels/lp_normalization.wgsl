// y = x / norm of its line along the axis of [outer, length, inner]; 0 for a line of norm 0.
struct Params {
  rows: u32,
  length: u32,
  inner: u32,
  inner_inverse: f32,
  power: u32,  // 1 or 2
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

alias part = f32;

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

fn combine(a: part, b: part) -> part {
  return a + b;
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let outer = divide(row, p.inner, p.inner_inverse);
  let base = outer * p.length * p.inner + (row - outer * p.inner);
  let block_size = block_of(length, lanes);
  var sum = 0.0;
  var at = lane;
  while (at < length) {
    let stop = min(length, at + block_size);
    var block = 0.0;
    for (; at < stop; at += lanes) {
      let v = f32(x[base + at * p.inner]);
      block += select(abs(v), v * v, p.power == 2u);
    }
    sum += block;
  }
  sum = row_fold(sum, lane, lanes);
  let norm = select(sum, sqrt(sum), p.power == 2u);
  for (var i = lane; i < length; i += lanes) {
    let at_i = base + i * p.inner;
    y[at_i] = elem(select(f32(x[at_i]) / norm, 0.0, norm == 0.0));
  }
}
