// y[o, j, k] = values[1] where index [o, k] is j, values[0] elsewhere, y seen as [outer, extent, inner]. The index type's file
// gives `wanted`: the index as (position, 1 where valid); one that is not has values[0] everywhere.
struct Params {
  count: u32,
  extent: u32,
  extent_inverse: f32,
  inner: u32,
  inner_inverse: f32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> indices: array<index>;
@group(0) @binding(1) var<storage, read> values: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let line = divide(i, p.inner, p.inner_inverse);
  let outer = divide(line, p.extent, p.extent_inverse);
  let place = wanted(indices[outer * p.inner + (i - line * p.inner)]);
  let at = select(0u, 1u, place.y == 1u && place.x == line - outer * p.extent);
  return element_of(values[at >> per_word], at);
}
