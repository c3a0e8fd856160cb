// Where the elements of a reduction are. A row is one output; its position and that of its elements are strides over the
// collapsed kept and reduced dimensions, both innermost first.
struct Dim {
  extent: u32,
  inverse: f32,
  stride: u32,
  pad: u32,
}

struct Params {
  rows: u32,
  length: u32,
  pad_x: u32,
  pad_y: u32,
  kept: array<Dim, kept_dims>,
  reduced: array<Dim, reduced_dims>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

fn row_offset(row: u32) -> u32 {
  var rest = row;
  var at = 0u;
  for (var d = 0u; d < kept_dims - 1u; d++) {
    let next = divide(rest, p.kept[d].extent, p.kept[d].inverse);
    at += (rest - next * p.kept[d].extent) * p.kept[d].stride;
    rest = next;
  }
  return at + rest * p.kept[kept_dims - 1u].stride;
}

fn element_offset(index: u32) -> u32 {
  var rest = index;
  var at = 0u;
  for (var d = 0u; d < reduced_dims - 1u; d++) {
    let next = divide(rest, p.reduced[d].extent, p.reduced[d].inverse);
    at += (rest - next * p.reduced[d].extent) * p.reduced[d].stride;
    rest = next;
  }
  return at + rest * p.reduced[reduced_dims - 1u].stride;
}
