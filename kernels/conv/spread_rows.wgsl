// conv/spread for CPU adapters: each subgroup stores 16 neighbours of a row of phases by uniform loads (_line.wgsl), which `take`
// turns into the elements that its lanes want. Rows are at least 16 long and begin at vectors; the last subgroups store
// some elements again.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> phases: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

// Eight neighbours from `start` on, one for each lane. Where that would leave the array, what lies inside is moved to its lanes.
fn eight(start: i32, lane: u32, wanted: i32) -> f32 {
  let inside = clamp(start, 0, i32(p.elements) - 8);
  let at = (u32(inside) + p.zero) & 0x0fffffffu;
  let v = pick(vec4<f32>(x[at], x[at + 1u], x[at + 2u], x[at + 3u]), vec4<f32>(x[at + 4u], x[at + 5u], x[at + 6u], x[at + 7u]), lane);
  return subgroupShuffle(v, u32(wanted + start - inside) & 7u);
}

fn store(at: u32, v: f32) {
  phases[at] = vec4<f32>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
  phases[at + 1u] = vec4<f32>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let tile = min(flat_group(group, groups) * (group_size / 8u) + team, p.tiles - 1u);
  let line = divide(tile, p.tiles_across, p.tiles_across_inverse);
  let column = min((tile - line * p.tiles_across) * 16u, p.axes[2].length - 16u);
  let channel = divide(line * p.axes[2].length, p.plane, p.plane_inverse);
  let at = place_of(line * p.axes[2].length - channel * p.plane);
  // What lies between the elements of an input that is spread apart is zero, as is what lies around it.
  let z = at.x / p.apart_z;
  let y = at.y / p.apart_y;
  let row_inside = z < p.axes[0].extent && y < p.axes[1].extent && z * p.apart_z == at.x && y * p.apart_y == at.y;
  let row = i32(channel * p.input + select(0u, (z * p.axes[1].extent + y) * p.axes[2].extent, row_inside));
  let first = i32(at.z + column * p.axes[2].stride);
  let second = first + 8 * i32(p.axes[2].stride);
  let r0 = take(row, first, lane, row_inside);
  let r1 = take(row, second, lane, row_inside);
  let to = (line * p.axes[2].length + column) / 4u;
  store(to, r0);
  store(to + 2u, r1);
}
