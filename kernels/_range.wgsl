// y[i] = start + i delta. The number type's file gives `at`.
struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  start: vec2<u32>,  // the bits of a number, low word first
  delta: vec2<u32>,
}

@group(0) @binding(0) var<storage, read_write> y: array<elem>;
@group(0) @binding(1) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i < p.count) {
    y[i] = at(i);
  }
}
