// The exact rest of a / b toward zero: fractions are integers of 24 bits, and each doubling of the dividend's is brought below the
// divisor's again. Made by bits, so that denormals are kept.
fn remainder(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a) & 0x7fffffffu;
  let y = bitcast<u32>(b) & 0x7fffffffu;
  let sign = bitcast<u32>(a) & 0x80000000u;
  var nan = 0x7fc00000u;
  if (x >= 0x7f800000u || y > 0x7f800000u || y == 0u) {
    return bitcast<f32>(nan);
  }
  if (x < y) {
    return a;
  }
  let scale = max(y >> 23u, 1u);
  let divisor = (y & 0x007fffffu) | select(0u, 0x00800000u, y >= 0x00800000u);
  var rest = (x & 0x007fffffu) | select(0u, 0x00800000u, x >= 0x00800000u);
  for (var k = max(x >> 23u, 1u); k > scale; k--) {
    rest = (rest % divisor) << 1u;
  }
  rest %= divisor;
  if (rest == 0u) {
    return bitcast<f32>(sign);
  }
  let short = countLeadingZeros(rest) - 8u;  // bits below the leading one of a fraction
  let normal = ((scale - short) << 23u) | ((rest << short) & 0x007fffffu);
  return bitcast<f32>(sign | select(rest << (scale - 1u), normal, scale > short));
}
