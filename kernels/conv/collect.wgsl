// Takes the results out of the rows of sums, one element per invocation.
@group(0) @binding(0) var<storage, read> sums: array<f32>;
@group(0) @binding(binding_y) var<storage, read_write> y: array<stored>;
@group(0) @binding(binding_params) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  let plane = divide(i, p.plane, p.plane_inverse);
  let position = i - plane * p.plane;
  let rows = divide(position, p.axes[2].result, p.axes[2].result_inverse);
  let z = divide(rows, p.axes[1].result, p.axes[1].result_inverse);
  let at = ((z * p.axes[1].length) + rows - z * p.axes[1].result) * p.axes[2].length + position - rows * p.axes[2].result;
  let channel = plane - divide(plane, p.channels, p.channels_inverse) * p.channels;
  y[i] = finish(sums[plane * p.row + at] + bias_of(channel), i, channel);
}
