// y = result(x - m, scale_of(sum e^(x - m))), m the largest of the row; the op's file gives both functions. A row is one line
// along the axis of [outer, length, inner]: its elements are `inner` apart. Everything is f32; no exponent is positive, so
// nothing overflows, and the sum is at least 1. A row is read three times, which costs less than keeping it.
struct Params {
  rows: u32,
  length: u32,
  inner: u32,
  inner_inverse: f32,
}

alias part = vec2<f32>;  // (largest, sum)

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

fn combine(a: part, b: part) -> part {
  return part(max(a.x, b.x), a.y + b.y);
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let outer = divide(row, p.inner, p.inner_inverse);
  let base = outer * p.length * p.inner + (row - outer * p.inner);
  var largest = lowest();
  for (var i = lane; i < length; i += lanes) {
    largest = max(largest, f32(x[base + i * p.inner]));
  }
  largest = row_fold(part(largest, 0.0), lane, lanes).x;
  let block_size = block_of(length, lanes);
  var sum = 0.0;
  var at = lane;
  while (at < length) {
    let stop = min(length, at + block_size);
    var block = 0.0;
    for (; at < stop; at += lanes) {
      block += exp_falling(f32(x[base + at * p.inner]) - largest);
    }
    sum += block;
  }
  let scale = scale_of(row_fold(part(0.0, sum), lane, lanes).y);
  for (var i = lane; i < length; i += lanes) {
    y[base + i * p.inner] = elem(result(f32(x[base + i * p.inner]) - largest, scale));
  }
}
