// y[i] = to(x[i]), four neighbours per invocation. One file reads the source type (`read4`), another writes the target
// (`write4`), and they meet in `vec4<value>`: i32 for i32 and bool sources, else f32. All other types have _cast_each.wgsl.
struct Params {
  vectors: u32,
  count: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> x: array<source>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.vectors) {
    return;
  }
  write4(i, read4(i));
}
