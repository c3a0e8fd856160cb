// y[o, j, k] = x[o, index(j), k] with x seen as [outer, extent, inner] and the indices as one list, unit by unit: an
// element, or 16 bytes of a row that is long enough (_each.wgsl, _packed.wgsl). Negative indices count from the end; one that
// is out of range is reported and reads a clamped position instead. The index type's file gives `wanted`: the
// index as (position, 1 where valid), and `words_of`.
struct Params {
  count: u32,
  extent: u32,
  inner: u32,
  inner_inverse: f32,
  indices: u32,
  indices_inverse: f32,
  pad: vec2<u32>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> indices: array<index>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let row = divide(i, p.inner, p.inner_inverse);
  let outer = divide(row, p.indices, p.indices_inverse);
  let place = row - outer * p.indices;
  let at = wanted(indices[place]);
  if (at.y == 0u) {
    report_fault(1u, place, words_of(indices[place]));
  }
  let at_x = (outer * p.extent + min(at.x, max(p.extent, 1u) - 1u)) * p.inner + (i - row * p.inner);
  return element_of(x[at_x >> per_word], at_x);
}
