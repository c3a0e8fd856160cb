// y[i] = min(max(x[i], low), high), NaN kept, four neighbours per invocation. A bound is one element of memory or, where
// `low_given` or `high_given` is 0, the number in the params; its binding is then any.
struct Params {
  vectors: u32,
  low: acc,
  high: acc,
  pad: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> least: array<elem>;
@group(0) @binding(2) var<storage, read> most: array<elem>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<elem>>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.vectors) {
    return;
  }
  let low = vec4<acc>(select(p.low, acc(least[0]), low_given == 1u));
  let high = vec4<acc>(select(p.high, acc(most[0]), high_given == 1u));
  let v = vec4<acc>(x[i]);
  let raised = select(v, low, v < low);
  y[i] = vec4<elem>(select(raised, high, raised > high));
}
