// MatMulIntegerToFloat: the sums' products with the scales, plus a bias of the columns. The last four may reach into the padding of the storage.
@group(0) @binding(4) var<storage, read> a_scales: array<f32>;
@group(0) @binding(5) var<storage, read> b_scales: array<f32>;
@group(0) @binding(6) var<storage, read> bias: array<f32>;
@group(0) @binding(7) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(8) var<uniform> p: Params;

fn real(i: u32, sum: i32) -> f32 {
  let at = places_of(i);
  let product = f32(sum) * (a_scales[at.a_scale] * b_scales[at.b_scale]);
  if (has_bias) {
    return product + bias[i % p.n];
  }
  return product;
}

fn finish(four: u32, sums: vec4<i32>) {
  let last = p.count - 1u;
  let i = four * 4u;
  y[four] = vec4<f32>(real(i, sums.x), real(min(i + 1u, last), sums.y), real(min(i + 2u, last), sums.z), real(min(i + 3u, last), sums.w));
}
