// value(i) = combined(a[..], place in b) for any broadcast and any types: `combined` reads the second operand, of words `other`. See
// _binary_apply.wgsl, _places.wgsl, _each.wgsl and _packed.wgsl.
struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> a: array<elem>;
@group(0) @binding(1) var<storage, read> b: array<other>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<uniform> p: Params;

fn value(i: u32) -> made {
  let at = places(i);
  return combined(element_of(a[at.x >> per_word], at.x), at.y);
}
