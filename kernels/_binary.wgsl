// y[i] = apply(a[..], b[..]), four neighbours per invocation, where _places.wgsl finds them: the innermost dimension is counted in
// fours; strides are in elements, and an operand either has the four side by side or one element for all of them. With one
// dimension (equal shapes, single elements) nothing is divided. See also _binary_strided.wgsl.
struct Params {
  vectors: u32,
  a_single: u32,  // 1: one element for four results
  b_single: u32,
  pad: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> a: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<elem>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<elem>>;
@group(0) @binding(3) var<uniform> p: Params;

fn spread(v: vec4<acc>, at: u32, single: u32) -> vec4<acc> {
  return select(v, vec4<acc>(v[at & 3u]), single != 0u);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.vectors) {
    return;
  }
  let at = places(i);
  let u = spread(vec4<acc>(a[at.x >> 2u]), at.x, p.a_single);
  let v = spread(vec4<acc>(b[at.y >> 2u]), at.y, p.b_single);
  y[i] = vec4<elem>(vec4<acc>(apply(u.x, v.x), apply(u.y, v.y), apply(u.z, v.z), apply(u.w, v.w)));
}
