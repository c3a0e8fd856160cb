// y[i] = apply(x[i]) for results that are bools: bytes, so one invocation computes the four of a word. The last word may
// reach beyond the result, into the padding of its storage.
struct Params {
  count: u32,
  alpha: f32,
  beta: f32,
  zero: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> p: Params;

fn result(i: u32) -> u32 {
  let at = min(i, p.count - 1u);
  return select(0u, 1u, apply(element_of(x[at >> per_word], at)));
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = flat_group(group, groups) * group_size + lane;
  let i = word * 4u;
  if (i >= p.count) {
    return;
  }
  y[word] = result(i) | (result(i + 1u) << 8u) | (result(i + 2u) << 16u) | (result(i + 3u) << 24u);
}
