// Sources with a WGSL type of their own.
fn read4(four: source) -> vec4<value> {
  return vec4<value>(four);
}
