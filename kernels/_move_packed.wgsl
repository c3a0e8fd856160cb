// _move.wgsl for elements smaller than a word and a dense output (_packed.wgsl).
struct Dim {
  extent: u32,
  inverse: f32,
  in_stride: u32,
  out_stride: u32,
}

struct Params {
  count: u32,
  pad: u32,
  in_start: u32,
  out_start: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn value(i: u32) -> acc {
  var rest = i;
  var at = p.in_start;
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * p.dims[d].in_stride;
    rest = next;
  }
  at += rest * p.dims[dims - 1u].in_stride;
  return element_of(x[at >> per_word], at);
}
