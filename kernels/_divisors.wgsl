// Reports an integer divisor that is zero.
struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> b: array<elem>;
@group(0) @binding(1) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i < p.count && equal(element_of(b[i >> per_word], i), acc(0))) {
    report_fault(2u, i, vec2<u32>());
  }
}
