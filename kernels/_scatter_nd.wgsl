// y[tuple t of the indices, k] = updates[t, k]; y holds the data already. Each tuple of `depth` 64-bit indices names a run of
// `inner` elements. Negative indices count from the end; one that is out of range sets the fault word and writes nothing.
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
  pad: u32,
  axes: array<Axis, depth>,
}

@group(0) @binding(0) var<storage, read> indices: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<elem>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  let tuple = divide(i, p.inner, p.inner_inverse);
  var at = i - tuple * p.inner;
  var valid = true;
  for (var k = 0u; k < depth; k++) {
    let value = indices[tuple * depth + k];
    let extent = p.axes[k].extent;
    let negative = value.y == 0xffffffffu && value.x >= 0u - extent && value.x != 0u;
    let position = select(value.x, value.x + extent, negative);
    valid = valid && (value.y == 0u || negative) && position < extent;
    at += position * p.axes[k].stride;
  }
  if (valid) {
    y[at] = updates[i];
  } else {
    atomicStore(&fault[0], 1u);
  }
}
