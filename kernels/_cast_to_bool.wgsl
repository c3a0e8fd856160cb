// Anything but zero is true, NaN and denormals included: `magnitude` masks the sign of a floating-point zero away, and
// comparing bits is safe from flushing. Four bytes in a word.
alias stored = u32;

fn write4(i: u32, four: vec4<value>) {
  let bits = bitcast<vec4<u32>>(four) & vec4<u32>(magnitude);
  y[i] = dot(min(bits, vec4<u32>(1u)), vec4<u32>(1u, 0x100u, 0x10000u, 0x1000000u));
}
