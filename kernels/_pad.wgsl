// y = x with elements added around it. What is taken off x first is not seen here: x begins at `start` and has the extents of the
// rest. Each coordinate of y, minus the pad before its axis, is a place of x or outside of it; the mode's file says what `source` is there: a place of x, or a negative one for the constant. That is
// one element of memory or, where `value_given` is 0, bits in the params; its binding is then any.
struct Dim {
  extent: u32,  // of y
  inverse: f32,
  before: i32,
  within: i32,  // extent of x, below one where nothing is left
  stride: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

struct Params {
  count: u32,
  start: u32,
  value: vec2<u32>,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> given: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<uniform> p: Params;

fn value(i: u32) -> acc {
  var rest = i;
  var at = p.start;
  var inside = true;
  for (var d = 0u; d < dims; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    let place = source(i32(rest - next * p.dims[d].extent) - p.dims[d].before, p.dims[d].within);
    inside = inside && place >= 0;
    at += u32(place) * p.dims[d].stride;
    rest = next;
  }
  if (inside) {
    return element_of(x[at >> per_word], at);
  }
  if (value_given == 1u) {
    return element_of(given[0], 0u);
  }
  return constant(p.value);
}
