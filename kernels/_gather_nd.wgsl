// y[t, k] = x[batch(t), tuple t of the indices, k]: each tuple of `depth` 64-bit indices picks a run of `inner` units
// (elements, or 16 bytes). Negative indices count from the end; one that is out of range is reported and reads a
// clamped position instead.
struct Axis {
  extent: u32,
  stride: u32,
  pad_x: u32,
  pad_y: u32,
}

struct Params {
  count: u32,
  inner: u32,
  inner_inverse: f32,
  per_batch: u32,  // tuples of a batch
  per_batch_inverse: f32,
  batch_stride: u32,
  pad_x: u32,
  pad_y: u32,
  axes: array<Axis, depth>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> indices: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let tuple = divide(i, p.inner, p.inner_inverse);
  var at = divide(tuple, p.per_batch, p.per_batch_inverse) * p.batch_stride + (i - tuple * p.inner);
  for (var k = 0u; k < depth; k++) {
    let value = indices[tuple * depth + k];
    let extent = p.axes[k].extent;
    let negative = value.y == 0xffffffffu && value.x >= 0u - extent && value.x != 0u;
    let position = select(value.x, value.x + extent, negative);
    if (!((value.y == 0u || negative) && position < extent)) {
      report_fault(1u, tuple * depth + k, value);
    }
    at += min(position, max(extent, 1u) - 1u) * p.axes[k].stride;
  }
  return element_of(x[at >> per_word], at);
}
