// Four bytes in a word; any non-zero byte is true.
alias source = u32;

fn read4(i: u32) -> vec4<value> {
  let bytes = (vec4<u32>(x[i]) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
  return vec4<value>(min(bytes, vec4<u32>(1u)));
}
