// Each invocation owns a query: the factors of its stretches and the sum of all weights.
@group(0) @binding(0) var<storage, read_write> rows: array<f32>;
@group(0) @binding(1) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let query = flat_group(group, groups) * group_size + lane;
  if (query >= p.tiles * 16u) {
    return;
  }
  let first = rows_at(query / 16u, 0u) * 4u + query % 16u;
  let count = p.stretches;
  var top = lowest();
  for (var i = 0u; i < count; i++) {
    top = max(top, rows[first + i * 32u]);
  }
  let level = select(top, 0.0, is_lowest(top));
  var total = 0.0;
  for (var i = 0u; i < count; i++) {
    let factor = exp_falling(rows[first + i * 32u] - level);
    total = fma(factor, rows[first + i * 32u + 16u], total);
    rows[first + i * 32u] = factor;
  }
  rows[first + 16u] = total;
}
