// Sums of a line's first elements, one invocation per line along the axis of [outer, length, inner]. Lines are short or many
// where models have them. Sums run in acc.
struct Params {
  rows: u32,
  length: u32,
  inner: u32,
  inner_inverse: f32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = flat_group(group, groups) * group_size + lane;
  if (row >= p.rows) {
    return;
  }
  let outer = divide(row, p.inner, p.inner_inverse);
  let base = outer * p.length * p.inner + (row - outer * p.inner);
  var sum = acc(0);
  for (var i = 0u; i < p.length; i++) {
    let at = base + select(i, p.length - 1u - i, reverse == 1u) * p.inner;
    let next = plus(sum, acc(x[at]));
    y[at] = elem(select(next, sum, exclusive == 1u));
    sum = next;
  }
}
