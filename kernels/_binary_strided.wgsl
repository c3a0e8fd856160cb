// value(i) = apply(a[..], b[..]) for any broadcast and any type: the index is split over `dims` collapsed dimensions (innermost
// first) and each operand has a stride per dimension, 0 where it repeats. See _each.wgsl and _packed.wgsl.
struct Dim {
  extent: u32,
  inverse: f32,
  a: u32,
  b: u32,
}

struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> a: array<elem>;
@group(0) @binding(1) var<storage, read> b: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<uniform> p: Params;

fn value(i: u32) -> made {
  var rest = i;
  var at = vec2<u32>();
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * vec2<u32>(p.dims[d].a, p.dims[d].b);
    rest = next;
  }
  at += rest * vec2<u32>(p.dims[dims - 1u].a, p.dims[dims - 1u].b);
  return apply(element_of(a[at.x >> per_word], at.x), element_of(b[at.y >> per_word], at.y));
}
