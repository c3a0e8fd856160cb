// Real sources: fractions are cut off, what is too large becomes the largest i32. The conversion alone stops at the
// largest f32 below it.
fn write4(four: vec4<value>) -> stored {
  return select(vec4<i32>(four), vec4<i32>(2147483647), four >= vec4<f32>(2147483648.0));
}
