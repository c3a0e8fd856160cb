// _move.wgsl for elements of one byte and a dense output: one invocation makes the four of a word. The last word may reach
// beyond the output, into the padding of its storage.
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

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> p: Params;

fn source_of(i: u32) -> u32 {
  var rest = i;
  var at = p.in_start;
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * p.dims[d].in_stride;
    rest = next;
  }
  return at + rest * p.dims[dims - 1u].in_stride;
}
