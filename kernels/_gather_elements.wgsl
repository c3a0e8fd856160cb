// y[c] = x[c with the index there in place of one coordinate]. The index of the output is split over `dims` dimensions,
// innermost first, with x's strides, 0 along the axis. The index type's file gives `wanted`: the index as (position, 1 where
// valid); one that is out of range is reported and reads a clamped position instead.
struct Dim {
  extent: u32,
  inverse: f32,
  stride: u32,
  pad: u32,
}

struct Params {
  count: u32,
  extent: u32,  // of x along the axis
  step: u32,    // x's stride there
  pad: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> indices: array<index>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

fn value(i: u32) -> acc {
  var rest = i;
  var at = 0u;
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * p.dims[d].stride;
    rest = next;
  }
  at += rest * p.dims[dims - 1u].stride;
  let place = wanted(indices[i]);
  if (place.y == 0u) {
    report_fault(1u, i, words_of(indices[i]));
  }
  at += min(place.x, max(p.extent, 1u) - 1u) * p.step;
  return element_of(x[at >> per_word], at);
}
