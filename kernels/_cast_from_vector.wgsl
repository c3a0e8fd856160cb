// Sources with a WGSL type of their own.
fn read4(i: u32) -> vec4<value> {
  return vec4<value>(x[i]);
}
