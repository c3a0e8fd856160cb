// Targets with a WGSL type of their own; `wide` is f32 for both floating-point ones. Fractions are cut off, as C does.
fn write4(i: u32, four: vec4<value>) {
  y[i] = stored(vec4<wide>(four));
}
