// y[i] = value(i), which the op's frame gives, for p.count elements of `y_width` bits, 2^y_per_word in a word: one invocation makes a
// whole word, so that none shares one with another. The last may reach beyond the result, into the padding of its storage, which is 0: of
// elements below a byte, the host sees it. The type's file gives `bits_of`.
@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = flat_group(group, groups) * group_size + lane;
  let first = word << y_per_word;
  if (first >= p.count) {
    return;
  }
  var bits = 0u;
  for (var k = 0u; k < (1u << y_per_word); k++) {
    let code = bits_of(value(min(first + k, p.count - 1u)));
    bits = insertBits(bits, select(0u, code, first + k < p.count), k * y_width, y_width);
  }
  y[word] = bits;
}
