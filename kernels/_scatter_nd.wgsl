// Where update i goes: each tuple of `depth` 64-bit indices names a run of `step` elements. Negative indices count from the end.
struct Axis {
  extent: u32,
  stride: u32,
  pad_x: u32,
  pad_y: u32,
}

struct Params {
  count: u32,
  length: u32,  // of a line of updates, for _scatter_reduce.wgsl, and how far apart its elements are
  step: u32,
  step_inverse: f32,
  axes: array<Axis, depth>,
}

@group(0) @binding(0) var<storage, read> indices: array<vec2<u32>>;

fn place_of(i: u32) -> vec2<u32> {
  let tuple = divide(i, p.step, p.step_inverse);
  var at = i - tuple * p.step;
  var valid = true;
  for (var k = 0u; k < depth; k++) {
    let value = indices[tuple * depth + k];
    let extent = p.axes[k].extent;
    let negative = value.y == 0xffffffffu && value.x >= 0u - extent && value.x != 0u;
    let position = select(value.x, value.x + extent, negative);
    valid = valid && (value.y == 0u || negative) && position < extent;
    at += position * p.axes[k].stride;
  }
  return vec2<u32>(at, select(0u, 1u, valid));
}
