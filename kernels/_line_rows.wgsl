// Rows by straight-line code (_line.wgsl), for CPU adapters without bounds checks. A row is cut into segments of 128 elements, of which a
// subgroup takes one. Dispatches hand on what they found in each: `first` (the largest element, a sum), which decides the terms of
// `second`, which decide the results; line_rows.cpp writes the entry points. The last segment ends where the row ends: what it shares
// with the one before does not count in it.
struct Params {
  rows: u32,
  length: u32,
  parts: u32,  // segments in a row
  zero: u32,
  epsilon: f32,
  skip_rows: u32,  // after which skip begins again
  skip_inverse: f32,
  pad: u32,
}

struct Segment {
  row: u32,
  part: u32,
  start: u32,   // in the row
  repeated: u32,  // elements of the segment before
}

fn segment_of(group: vec3<u32>, groups: vec3<u32>, team: u32) -> Segment {
  let row = min((group.z * groups.y + group.y) * (group_size / 8u) + team, p.rows - 1u);
  let start = min(group.x * 128u, p.length - 128u);
  return Segment(row, group.x, start, group.x * 128u - start);
}

// What a lane found in its segment of a row, of 8 that follow `base`.
fn part_of(low: vec4<f32>, high: vec4<f32>, base: u32, lane: u32, none: f32) -> f32 {
  return select(none, pick(low, high, lane), base + lane < p.parts);
}
