// Real sources: fractions are cut off, what is too large becomes the largest i32 (the conversion alone stops at the largest f32 below
// it), NaN becomes 0. NaN is told by its bits: compilers may take x != x for false.
fn write4(i: u32, four: vec4<value>) {
  let nan = (bitcast<vec4<u32>>(four) & vec4<u32>(0x7FFFFFFFu)) > vec4<u32>(0x7F800000u);
  let whole = select(vec4<i32>(four), vec4<i32>(2147483647), four >= vec4<f32>(2147483648.0));
  y[i] = select(whole, vec4<i32>(), nan);
}
