// y[i] = apply(x[i]) with the functor of the op's own file. One invocation computes four neighbours; the last ones of a
// tensor whose length is no multiple of four fall in the padding of its storage. Arithmetic is in acc: f32 for f16
// elements.
struct Params {
  vectors: u32,
  alpha: f32,
  beta: f32,
  zero: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<elem>>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.vectors) {
    return;
  }
  let v = vec4<acc>(x[i]);
  y[i] = vec4<elem>(vec4<acc>(apply(v.x), apply(v.y), apply(v.z), apply(v.w)));
}
