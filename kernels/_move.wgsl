// y[out_start + sum c out] = x[in_start + sum c in] over the coordinates c of a box: Transpose, Slice and one input of
// Concat. The box has `dims` dimensions, innermost first; strides wrap modulo 2^32, so negative ones (backward slices)
// need no sign. One invocation moves one unit: an element or, where both sides allow it, 16 bytes; never converted. Elements
// smaller than a word have _move_packed.wgsl and _concat_packed.wgsl.
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
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

fn run(i: u32) {
  var rest = i;
  var at = vec2<u32>(p.in_start, p.out_start);
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * vec2<u32>(p.dims[d].in_stride, p.dims[d].out_stride);
    rest = next;
  }
  at += rest * vec2<u32>(p.dims[dims - 1u].in_stride, p.dims[dims - 1u].out_stride);
  y[at.y] = x[at.x];
}
