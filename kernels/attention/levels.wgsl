// Each invocation owns a query: the factors of its chunks, which make its weights relative to the largest score of all and their sum 1.
@group(0) @binding(0) var<storage, read_write> found: array<f32>;
@group(0) @binding(1) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let query = flat_group(group, groups) * group_size + lane;
  if (query >= p.tiles * 16u) {
    return;
  }
  let first = found_at(query / 16u, 0u) * 4u + query % 16u;
  var top = lowest();
  for (var i = 0u; i < p.parts; i++) {
    top = max(top, found[first + i * 32u]);
  }
  let level = select(top, 0.0, is_lowest(top));
  var total = 0.0;
  for (var i = 0u; i < p.parts; i++) {
    total = fma(exp_falling(found[first + i * 32u] - level), found[first + i * 32u + 16u], total);
  }
  let share = 1.0 / total;
  for (var i = 0u; i < p.parts; i++) {
    found[first + i * 32u] = exp_falling(found[first + i * 32u] - level) * share;
  }
  found[first + 16u] = total;
}
