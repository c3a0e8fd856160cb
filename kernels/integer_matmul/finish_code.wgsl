// QLinearMatMul: codes of the sums' products with the scales.
@group(0) @binding(4) var<storage, read> a_scales: array<u32>;
@group(0) @binding(5) var<storage, read> b_scales: array<u32>;
@group(0) @binding(6) var<storage, read> y_scale: array<u32>;
@group(0) @binding(7) var<storage, read> y_zero: array<u32>;
@group(0) @binding(8) var<storage, read_write> y: array<u32>;
@group(0) @binding(9) var<uniform> p: Params;

// In the precision of the scales.
fn as_scale(x: f32) -> f32 {
  return number_of(code_of(x, scale_type), scale_type);
}

fn code(i: u32, sum: i32) -> u32 {
  let at = places_of(i);
  let a_scale = number(a_scales[at.a_scale / per_word(scale_type)], at.a_scale, scale_type);
  let b_scale = number(b_scales[at.b_scale / per_word(scale_type)], at.b_scale, scale_type);
  let scale = number(y_scale[0], 0u, scale_type);
  let factor = as_scale(quotient(as_scale(a_scale * b_scale), scale));
  let rounded = round(f32(sum) * factor) + number(y_zero[0], 0u, y_type);
  return code_of(clamp(rounded, p.low, p.high), y_type);
}

fn finish(four: u32, sums: vec4<i32>) {
  let last = p.count - 1u;
  var word = 0u;
  for (var c = 0u; c < 4u; c++) {
    word |= code(min(four * 4u + c, last), sums[c]) << (8u * c);
  }
  y[four] = word;
}
