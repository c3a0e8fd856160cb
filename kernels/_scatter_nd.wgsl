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

// An index as (position, 1 where valid).
fn position_of(value: vec2<u32>, extent: u32) -> vec2<u32> {
  let negative = value.y == 0xffffffffu && value.x >= 0u - extent && value.x != 0u;
  let position = select(value.x, value.x + extent, negative);
  return vec2<u32>(position, select(0u, 1u, (value.y == 0u || negative) && position < extent));
}

fn place_of(i: u32) -> vec2<u32> {
  let tuple = divide(i, p.step, p.step_inverse);
  var place = vec2<u32>(i - tuple * p.step, 1u);
  for (var k = 0u; k < depth; k++) {
    let position = position_of(indices[tuple * depth + k], p.axes[k].extent);
    place = vec2<u32>(place.x + position.x * p.axes[k].stride, place.y * position.y);
  }
  return place;
}

fn report_place(i: u32) {
  let first = divide(i, p.step, p.step_inverse) * depth;
  for (var k = 0u; k < depth; k++) {
    let value = indices[first + k];
    if (position_of(value, p.axes[k].extent).y == 0u) {
      report_fault(1u, first + k, value);
      return;
    }
  }
}
