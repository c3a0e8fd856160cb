// value(i) = c[..] ? a[..] : b[..] with full broadcasting: strides for each of `dims` collapsed dimensions, innermost
// first. The condition is read from its byte. Values are moved as bits of their width, never converted; see _each.wgsl and
// _packed.wgsl.
struct Dim {
  extent: u32,
  inverse: f32,
  c: u32,
  a: u32,
  b: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> c: array<u32>;
@group(0) @binding(1) var<storage, read> a: array<elem>;
@group(0) @binding(2) var<storage, read> b: array<elem>;
@group(0) @binding(3) var<storage, read_write> y: array<stored>;
@group(0) @binding(4) var<uniform> p: Params;

fn strides(d: u32) -> vec3<u32> {
  return vec3<u32>(p.dims[d].c, p.dims[d].a, p.dims[d].b);
}

fn value(i: u32) -> acc {
  var rest = i;
  var at = vec3<u32>();
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * strides(d);
    rest = next;
  }
  at += rest * strides(dims - 1u);
  if (((c[at.x >> 2u] >> ((at.x & 3u) * 8u)) & 0xffu) != 0u) {
    return element_of(a[at.y >> per_word], at.y);
  }
  return element_of(b[at.z >> per_word], at.z);
}
