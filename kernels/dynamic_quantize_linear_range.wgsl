// The least and the largest number of x, zero included, of a stripe for each workgroup. NaN is passed over.
struct Params {
  count: u32,
  parts: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> parts: array<vec2<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn gather(lane: u32, part: u32) -> vec2<f32> {
  var range = vec2<f32>();
  for (var i = part * group_size + lane; i < p.count; i += p.parts * group_size) {
    let number = select(x[i], 0.0, is_nan(x[i]));
    range = vec2<f32>(min(range.x, number), max(range.y, number));
  }
  return range;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let range = fold(gather(lane, group.x), lane);
  if (lane == 0u) {
    parts[group.x] = range;
  }
}
