// a^b as e^(b log|a|), with the sign and the special cases of IEEE 754 pow. The logarithm and its product with b are sums
// of two numbers, since the exponent reaches 88 and would have an error of as many epsilons. The exponents that models
// use most are products and roots, exact to rounding.

// log(x) as (12 leading bits, rest). f / (2 + f) is corrected by its remainder.
fn log_parts(x: f32) -> vec2<f32> {
  let split = exponent_and_rest(x);
  let e_high = split.x * 0.693115234375;
  let f = split.y;
  let s_high = high_part(f / (2.0 + f));
  let f_high = high_part(f);
  let s_low = (fence(fence(f - 2.0 * s_high) - s_high * f_high) - s_high * (f - f_high)) / (2.0 + f);
  let s = s_high + s_low;
  let z = s * s;
  let high = high_part(e_high + 2.0 * s_high);
  let rest = fma(split.x, 3.194618495e-5, 2.0 * s_low) + z * s * atanh_core(z);
  return vec2<f32>(high, fence(fence(e_high - high) + 2.0 * s_high) + rest);
}

fn is_finite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u;
}

// a^(b_high + b_low) of a positive a; b_high has 12 bits, b is the sum.
fn power(a: f32, b: f32, b_high: f32, b_low: f32) -> f32 {
  let log = log_parts(a);
  let product = b_high * log.x;
  let low = b_low * log.x + b * log.y;
  let sum = product + low;
  let normal = is_finite(a) && is_finite(b) && a != 0.0 && sum >= -87.33655 && sum <= 88.7228317;
  return select(select(0.0, highest(), (a > 1.0) == (b > 0.0)), exp_core(product, low, 0), normal);
}

// a^b from |a|^b.
fn signed_power(magnitude: f32, a: f32, b: f32, whole: bool, odd: bool) -> f32 {
  var nan = 0x7fc00000u;
  var r = select(magnitude, 1.0, abs(a) == 1.0);
  r = select(r, -r, bitcast<u32>(a) >= 0x80000000u && odd);
  r = select(r, bitcast<f32>(nan), a < 0.0 && !whole && abs(a) != highest());
  r = select(r, sqrt(a), b == 0.5 && a >= 0.0);
  r = select(r, a, b == 1.0);
  r = select(r, a * a, b == 2.0);
  r = select(r, a * a * a, b == 3.0);
  r = select(r, a + b, is_nan(a) || is_nan(b));
  return select(r, 1.0, b == 0.0 || a == 1.0);
}

fn apply(a: acc, b: acc) -> acc {
  let whole = floor(b) == b;
  let odd = whole && abs(b) < 16777216.0 && floor(b * 0.5) * 2.0 != b;
  let b_high = high_part(b);
  return signed_power(power(abs(a), b, b_high, b - b_high), a, b, whole, odd);
}
