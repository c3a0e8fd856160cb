// Where update i goes: its own coordinates, with the index there in place of one of them. The number is split over `dims`
// dimensions, innermost first, with y's strides, 0 along the axis. The index type's file gives `wanted`: the index as
// (position, 1 where valid).
struct Dim {
  extent: u32,
  inverse: f32,
  stride: u32,
  pad: u32,
}

struct Params {
  count: u32,
  length: u32,  // of a line of updates, for _scatter_reduce.wgsl, and how far apart its elements are
  step: u32,
  step_inverse: f32,
  extent: u32,  // of y along the axis
  stride: u32,  // y's there
  pad_x: u32,
  pad_y: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> indices: array<index>;

fn place_of(i: u32) -> vec2<u32> {
  var rest = i;
  var at = 0u;
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * p.dims[d].stride;
    rest = next;
  }
  at += rest * p.dims[dims - 1u].stride;
  let place = wanted(indices[i]);
  return vec2<u32>(at + place.x * p.stride, place.y);
}

fn report_place(i: u32) {
  report_fault(1u, i, words_of(indices[i]));
}
