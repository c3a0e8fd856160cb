// The first k elements of each line along the axis of [outer, length, inner] in order, largest first where `largest` is 1, and
// where they were; of equal ones those with a lower index come first, a NaN counts as the largest. One invocation counts the
// elements that come before one: that is its place, and beyond k nobody wants it.
struct Params {
  count: u32,
  length: u32,
  length_inverse: f32,
  inner: u32,
  inner_inverse: f32,
  k: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<storage, read_write> indices: array<vec2<u32>>;
@group(0) @binding(3) var<uniform> p: Params;

fn larger(a: acc, b: acc) -> bool {
  return less(b, a) || (is_nan(a) && !is_nan(b));
}

fn run(i: u32) {
  let line = divide(i, p.inner, p.inner_inverse);
  let outer = divide(line, p.length, p.length_inverse);
  let place = line - outer * p.length;
  let column = i - line * p.inner;
  let base = outer * p.length * p.inner + column;
  let mine = acc(x[i]);
  var rank = 0u;
  for (var j = 0u; j < p.length; j++) {
    let other = acc(x[base + j * p.inner]);
    let above = larger(other, mine);
    let below = larger(mine, other);
    let first = select(below, above, largest == 1u);
    rank += select(0u, 1u, first || (!above && !below && j < place));
  }
  if (rank < p.k) {
    let to = (outer * p.k + rank) * p.inner + column;
    y[to] = x[i];
    indices[to] = vec2<u32>(place, 0u);
  }
}
