// Every 16 bytes of y become the pattern: any number of equal elements.
struct Params {
  vectors: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  pattern: vec4<u32>,
}

@group(0) @binding(0) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(1) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i < p.vectors) {
    y[i] = p.pattern;
  }
}
