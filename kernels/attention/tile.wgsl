// What the `tile` program of attention (attention_tile_text.h) does with four keys at a time.
fn plus_product(sum: f32, a: vec4<f32>, b: vec4<f32>) -> f32 {
  return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, fma(a.w, b.w, sum))));
}

fn largest(x: vec4<f32>) -> f32 {
  return max(max(x.x, x.y), max(x.z, x.w));
}

fn weights_of(scores: vec4<f32>, level: f32) -> vec4<f32> {
  return vec4<f32>(exp_falling(scores.x - level), exp_falling(scores.y - level), exp_falling(scores.z - level), exp_falling(scores.w - level));
}
