// Floats to the power of integers. Beyond 31 bits the exponent is as good as the largest that is odd or even: of all floats only 1 and -1
// have a power of it that is neither 0 nor infinite. From 2^53 on all exponents count as even, as they do in double.
fn combined(x: f32, at: u32) -> f32 {
  let e = exponent(at);
  let low = bitcast<i32>(e.x);
  let negative = is_negative(e);
  let odd = select(0, low & 1, select(e.y, ~e.y, negative) < 0x00200000u);
  let small = select(e.y == 0u && e.x < 0x7ffffffeu, e.y == 0xffffffffu && e.x > 0x80000002u, negative);
  let n = select(select(0x7ffffffe | odd, -0x7ffffffe - odd, negative), low, small);
  let b = f32(n);
  let b_high = high_part(b);
  return signed_power(power(abs(x), b, b_high, f32(n - i32(b_high))), x, b, true, odd == 1);
}
