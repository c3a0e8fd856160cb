// One pass of Stockham's transform over all lines: transforms of `done` numbers become transforms of `radix` times as many, with results
// already in order. Roots of unity are the host's, rounded once: up to 1024 of them, and for longer transforms those of every 1024th.
struct Params {
  count: u32,
  n: u32,
  part: u32,  // n / radix
  done: u32,
  radix: u32,
  part_inverse: f32,
  done_inverse: f32,
  sign: f32,  // -1 forward, 1 inverse
  fine: array<vec4<f32>, 512>,
  coarse: array<vec4<f32>, 512>,
}

@group(0) @binding(0) var<storage, read> x: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn product(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn half_of(pair: vec4<f32>, index: u32) -> vec2<f32> {
  return select(pair.xy, pair.zw, (index & 1u) == 1u);
}

// Times the root number m of the transforms that this pass makes.
fn turned(value: vec2<f32>, m: u32) -> vec2<f32> {
  let low = m & 1023u;
  let high = m >> 10u;
  let near = product(value, half_of(p.fine[low / 2u], low));
  return select(product(near, half_of(p.coarse[high / 2u], high)), near, high == 0u);
}

// Times i, in the direction of the transform.
fn quarter(value: vec2<f32>) -> vec2<f32> {
  return vec2<f32>(-value.y, value.x) * p.sign;
}
