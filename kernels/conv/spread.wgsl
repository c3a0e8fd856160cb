// Stores the input in phases, one element per invocation.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> phases: array<f32>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  let channel = divide(i, p.plane, p.plane_inverse);
  let first = place_of(i - channel * p.plane);
  let valid = first.x < p.axes[0].extent && first.y < p.axes[1].extent && first.z < p.axes[2].extent;
  let source = channel * p.input + (first.x * p.axes[1].extent + first.y) * p.axes[2].extent + first.z;
  phases[i] = select(0.0, x[select(0u, source, valid)], valid);
}
