// Where, along the axis of [outer, length, inner], the element is whose key is the largest; of equal ones the first, or the last
// where `last` is 1. Keys are pairs of words, higher one first, in the order of the elements; the op's file gives `key`.
struct Params {
  rows: u32,
  length: u32,
  inner: u32,
  inner_inverse: f32,
}

alias part = vec3<u32>;  // (key, index)

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn combine(a: part, b: part) -> part {
  let before = select((a.z < b.z), (a.z > b.z), last == 1u);
  let larger = a.x > b.x || (a.x == b.x && a.y > b.y);
  return select(b, a, larger || (a.x == b.x && a.y == b.y && before));
}

fn row_base(row: u32) -> u32 {
  let outer = divide(row, p.inner, p.inner_inverse);
  return outer * p.length * p.inner + (row - outer * p.inner);
}

fn best_of(row: u32, length: u32, lane: u32, lanes: u32) -> u32 {
  let base = row_base(row);
  var best = part(0u, 0u, select(0xffffffffu, 0u, last == 1u));
  for (var i = lane; i < length; i += lanes) {
    let at = base + i * p.inner;
    best = combine(best, part(key(element_of(x[at >> per_word], at)), i));
  }
  return row_fold(best, lane, lanes).z;
}
