// Elementary functions in f32 to about 2 units in the last place on every adapter: WGSL's own exp, log and tanh may be
// off by many, and overflow inside an identity (tanh, sigmoid) gives NaN. Polynomials are near-minimax fits of ours;
// NaN passes through because clamps are comparisons that a NaN fails, or is put back.

// The rounding error of p = a b, from halves whose products are exact; fma would do, but compilers may fuse or fold it.
fn product_low(a: f32, b: f32, p: f32) -> f32 {
  let a_high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
  let b_high = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
  return (a_high * b_high - p) + a_high * (b - b_high) + (a - a_high) * b;
}

// e^x = 2^n e^r, |r| <= ln(2)/2, for results that are normal numbers. Adding 1.5 * 2^23 leaves n in the low bits; the
// high part of n ln(2) is n 2839 / 4096 in integers, because compilers may merge two products with the same n and lose
// the low part; 2^n goes into the exponent's bits.
fn exp_core(x: f32) -> f32 {
  let n = bitcast<i32>(fma(x, 1.44269504, 12582912.0)) - 0x4b400000;
  let r = fma(f32(n), -3.194618495e-5, x - f32(n * 2839) * 0.000244140625);
  let q = fma(r, fma(r, fma(r, fma(r, 0.00139262504, 0.00836323295), 0.0416665524), 0.166665763), 0.5);
  return bitcast<f32>(bitcast<i32>(fma(r * r, q, r) + 1.0) + (n << 23u));
}

// e^x for x <= 0; denormal results are 0.
fn exp_falling(x: f32) -> f32 {
  return select(select(exp_core(x), 0.0, x < -87.3365), x, is_nan(x));
}

fn exp_of(x: f32) -> f32 {
  return select(exp_falling(x), highest(), x > 88.7228317);
}

// x = 2^e m, m in [sqrt(1/2), sqrt(2)); log(m) = 2 atanh(s), s = f / (2 + f), f = m - 1. Denormals are read as
// integers.
fn log_of(x: f32) -> f32 {
  let raw = bitcast<u32>(x);
  let tiny = raw < 0x00800000u;
  let bits = select(raw, bitcast<u32>(f32(raw)), tiny) - 0x3f3504f3u;
  let e = f32((bitcast<i32>(bits) >> 23u) - select(0, 149, tiny));
  let f = bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0;
  let s = f / (2.0 + f);
  let z = s * s;
  let q = z * fma(z, fma(z, fma(z, 0.233329132, 0.285507321), 0.400001228), 0.666666687);
  let finite = fma(e, 0.693115234375, fma(e, 3.194618495e-5, f - s * (f - q)));
  var nan = 0x7fc00000u;
  let negative = select(bitcast<f32>(nan), x, is_nan(x));
  let positive = select(finite, x, raw >= 0x7f800000u);
  return select(select(positive, negative, raw > 0x80000000u), lowest(), (raw & 0x7fffffffu) == 0u);
}

fn sigmoid_of(x: f32) -> f32 {
  let e = exp_falling(-abs(x));
  return select(1.0, e, x < 0.0) / (1.0 + e);
}

fn tanh_of(x: f32) -> f32 {
  let a = abs(x);
  let z = x * x;
  let q = fma(z, fma(z, fma(z, fma(z, -0.00609671418, 0.0209971797), -0.0538509078), 0.133327693), -0.333333284);
  let c = select(a, 10.0, a > 10.0);
  let large = 1.0 - 2.0 / (exp_core(2.0 * c) + 1.0);
  return select(select(select(large, -large, x < 0.0), fma(x * z, q, x), a < 0.625), x, is_nan(x));
}

// erf(t) / t from t^2, for |t| <= 1.
fn erf_core(z: f32) -> f32 {
  let high = fma(z, fma(z, fma(z, 7.87587487e-5, -0.00080168643), 0.00518908724), -0.0268542115);
  return fma(z, fma(z, fma(z, high, 0.112835944), -0.37612626), 1.12837911);
}

// e^(t^2) erfc(t) for t in [0.9, 11]: smooth in (t - 2) / (t + 2) once divided by 1 / (1 + 2 t).
fn erfc_scaled(t: f32) -> f32 {
  let u = (t - 2.0) / (t + 2.0);
  let high = fma(u, fma(u, fma(u, fma(u, -0.00153391983, 0.00113948097), 0.00875488576), -0.0080196606), -0.054222744);
  return fma(u, fma(u, fma(u, fma(u, high, 0.164050624), -0.166030347), -0.0927638188), 1.27697837) / fma(t, 2.0, 1.0);
}

fn erf_of(x: f32) -> f32 {
  let a = abs(x);
  let t = select(a, 11.0, a > 11.0);
  let large = 1.0 - erfc_scaled(t) * exp_falling(-t * t);
  return select(select(large, -large, x < 0.0), x * erf_core(x * x), a < 1.0);
}
