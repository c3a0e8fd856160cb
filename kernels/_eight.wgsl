// Neighbours of a row of x, for CPU adapters: eight of them by uniform loads (_line.wgsl), and the vectors that are stored of eight lanes.

// Eight neighbours from `start` on, one for each lane. Where that would leave the array, what lies inside is moved to its lanes.
fn eight(start: i32, lane: u32, wanted: i32) -> f32 {
  let inside = clamp(start, 0, i32(p.elements) - 8);
  let at = (u32(inside) + p.zero) & 0x0fffffffu;
  let v = pick(vec4<f32>(x[at], x[at + 1u], x[at + 2u], x[at + 3u]), vec4<f32>(x[at + 4u], x[at + 5u], x[at + 6u], x[at + 7u]), lane);
  return subgroupShuffle(v, u32(wanted + start - inside) & 7u);
}

fn low_four(v: f32) -> vec4<f32> {
  return vec4<f32>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
}

fn high_four(v: f32) -> vec4<f32> {
  return vec4<f32>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
}
