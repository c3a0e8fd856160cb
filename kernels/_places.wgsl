// Where two operands have the element of result `i`: the index is split over `dims` collapsed dimensions of the params, innermost first, and
// each operand has a stride per dimension, 0 where it repeats.
struct Dim {
  extent: u32,
  inverse: f32,
  a: u32,
  b: u32,
}

fn places(i: u32) -> vec2<u32> {
  var rest = i;
  var at = vec2<u32>();
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * vec2<u32>(p.dims[d].a, p.dims[d].b);
    rest = next;
  }
  return at + rest * vec2<u32>(p.dims[dims - 1u].a, p.dims[dims - 1u].b);
}
