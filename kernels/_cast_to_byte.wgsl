// i8 and u8: the low eight bits, four in a word.
alias stored = u32;

fn write4(i: u32, four: vec4<value>) {
  let bytes = bitcast<vec4<u32>>(vec4<i32>(four)) & vec4<u32>(0xffu);
  y[i] = dot(bytes, vec4<u32>(1u, 0x100u, 0x10000u, 0x1000000u));
}
