// Scale and zero point from the ranges of all parts, by one workgroup.
struct Params {
  count: u32,
  parts: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> parts: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> scale: array<f32>;
@group(0) @binding(2) var<storage, read_write> zero: array<u32>;
@group(0) @binding(3) var<uniform> p: Params;

fn gather(lane: u32) -> vec2<f32> {
  var range = vec2<f32>();
  for (var i = lane; i < p.parts; i += group_size) {
    range = vec2<f32>(min(range.x, parts[i].x), max(range.y, parts[i].y));
  }
  return range;
}

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
  let range = fold(gather(lane), lane);
  if (lane == 0u) {
    let step = quotient(select(range.y - range.x, 1.0, range.x == range.y), 255.0);
    scale[0] = step;
    zero[0] = u32(clamp(round(quotient(-range.x, step)), 0.0, 255.0));
  }
}
