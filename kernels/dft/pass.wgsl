// A pass of a radix that has a file of its own: one invocation makes `radix` numbers.
@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  let line = divide(i, p.part, p.part_inverse);
  let j = i - line * p.part;
  let k = j - divide(j, p.done, p.done_inverse) * p.done;
  butterfly(line * p.n + j, p.part, k, line * p.n + (j - k) * p.radix + k, p.done);
}
