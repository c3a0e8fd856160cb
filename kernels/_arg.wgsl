// y[row] = where, along the axis of [outer, length, inner], the element is whose key is the largest; of equal ones the first,
// or the last where `last` is 1. The op's file gives `key`, an i32 in the order of the elements. Indices are 64-bit words.
struct Params {
  rows: u32,
  length: u32,
  inner: u32,
  inner_inverse: f32,
}

alias part = vec2<u32>;  // (key, index)

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn combine(a: part, b: part) -> part {
  let before = select((a.y < b.y), (a.y > b.y), last == 1u);
  let larger = bitcast<i32>(a.x) > bitcast<i32>(b.x);
  return select(b, a, larger || (a.x == b.x && before));
}

fn run_row(row: u32, length: u32, lane: u32, lanes: u32) {
  let outer = divide(row, p.inner, p.inner_inverse);
  let base = outer * p.length * p.inner + (row - outer * p.inner);
  var best = part(0x80000000u, select(0xffffffffu, 0u, last == 1u));
  for (var i = lane; i < length; i += lanes) {
    best = combine(best, part(bitcast<u32>(key(acc(x[base + i * p.inner]))), i));
  }
  best = row_fold(best, lane, lanes);
  if (lane == 0u && row < p.rows) {
    y[row] = vec2<u32>(best.y, 0u);
  }
}
