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
  let inside = i - channel * p.plane;
  let phase = divide(inside, p.phase, p.phase_inverse);
  let e = inside - phase * p.phase;
  let rows = divide(e, p.axes[2].length, p.axes[2].length_inverse);
  let z = divide(rows, p.axes[1].length, p.axes[1].length_inverse);
  let at = vec3<u32>(z, rows - z * p.axes[1].length, e - rows * p.axes[2].length);
  let phase_rows = divide(phase, p.axes[2].stride, p.axes[2].stride_inverse);
  let phase_z = divide(phase_rows, p.axes[1].stride, p.axes[1].stride_inverse);
  let own = vec3<u32>(phase_z, phase_rows - phase_z * p.axes[1].stride, phase - phase_rows * p.axes[2].stride);
  let first = at * vec3<u32>(p.axes[0].stride, p.axes[1].stride, p.axes[2].stride) + own -
             vec3<u32>(p.axes[0].begin, p.axes[1].begin, p.axes[2].begin);
  let valid = first.x < p.axes[0].extent && first.y < p.axes[1].extent && first.z < p.axes[2].extent;
  let source = channel * p.input + (first.x * p.axes[1].extent + first.y) * p.axes[2].extent + first.z;
  phases[i] = select(0.0, x[select(0u, source, valid)], valid);
}
