// Floats to bool: anything but zero is true, NaN and denormals included; comparing bits is safe from flushing.
fn converted(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) != 0u;
}
