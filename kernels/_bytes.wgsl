// y[i] = x[source_of(i)] for p.count elements of one byte, the four of a word per invocation.
fn byte_for(i: u32) -> u32 {
  let at = source_of(min(i, p.count - 1u));
  return (x[at >> 2u] >> ((at & 3u) * 8u)) & 0xffu;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = flat_group(group, groups) * group_size + lane;
  let i = word * 4u;
  if (i < p.count) {
    y[word] = byte_for(i) | (byte_for(i + 1u) << 8u) | (byte_for(i + 2u) << 16u) | (byte_for(i + 3u) << 24u);
  }
}
