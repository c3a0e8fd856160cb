// Targets with a WGSL type of their own; `wide` is f32 for both floating-point ones. Fractions are cut off, as C does.
fn write4(four: vec4<value>) -> stored {
  return stored(vec4<wide>(four));
}
