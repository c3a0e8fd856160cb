// What `line` programs do with elements of f16, beside _line.wgsl for those of f32. Lanes hold f32; a whole vector of lanes is converted at
// once, and never one lane at a time.
fn pick_f16(low: vec4<f16>, high: vec4<f16>, lane: u32) -> f32 {
  var v = low.x;
  v = select(v, low.y, lane == 1u);
  v = select(v, low.z, lane == 2u);
  v = select(v, low.w, lane == 3u);
  v = select(v, high.x, lane == 4u);
  v = select(v, high.y, lane == 5u);
  v = select(v, high.z, lane == 6u);
  v = select(v, high.w, lane == 7u);
  return f32(v);
}

fn low_lanes_f16(value: f32) -> vec4<f16> {
  let v = f16(value);
  return vec4<f16>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
}

fn high_lanes_f16(value: f32) -> vec4<f16> {
  let v = f16(value);
  return vec4<f16>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
}
