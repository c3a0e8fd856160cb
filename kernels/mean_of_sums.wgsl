// value(i): the mean, from the sums of mean_of_many.wgsl; see _each.wgsl and _packed.wgsl.
struct Params {
  count: u32,
  share: f32,  // one of the number of operands, and 2^16 times that
  large_share: f32,
  pad: u32,
}

@group(0) @binding(0) var<storage, read> sums: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn value(i: u32) -> f32 {
  return fma(sums[i].y, p.large_share, sums[i].x * p.share);
}
