// (least, largest) of a workgroup, known to its first invocation.
var<workgroup> ranges: array<vec2<f32>, group_size>;

fn fold(mine: vec2<f32>, lane: u32) -> vec2<f32> {
  ranges[lane] = mine;
  workgroupBarrier();
  for (var step = group_size >> 1u; step > 0u; step >>= 1u) {
    if (lane < step) {
      let other = ranges[lane + step];
      ranges[lane] = vec2<f32>(min(ranges[lane].x, other.x), max(ranges[lane].y, other.y));
    }
    workgroupBarrier();
  }
  return ranges[0];
}
