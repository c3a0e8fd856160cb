// y[i] = apply(a[..], b[..]) for any broadcast: the index is split over `dims` collapsed dimensions (innermost first)
// and each operand has a stride per dimension, 0 where it repeats. One invocation computes one element.
struct Dim {
  extent: u32,
  inverse: f32,
  a: u32,
  b: u32,
}

struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> a: array<elem>;
@group(0) @binding(1) var<storage, read> b: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<elem>;
@group(0) @binding(3) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  var rest = i;
  var at = vec2<u32>();
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * vec2<u32>(p.dims[d].a, p.dims[d].b);
    rest = next;
  }
  at += rest * vec2<u32>(p.dims[dims - 1u].a, p.dims[dims - 1u].b);
  y[i] = elem(apply(acc(a[at.x]), acc(b[at.y])));
}
